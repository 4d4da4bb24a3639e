#include "runtime/core/size_text.h"

#include <cmath>
#include <cstdio>

namespace gpy::rt {

std::string size_text(double bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = bytes > 1 ? static_cast<int>(std::log2(bytes)) / 10 : 0;
  double size = std::ldexp(bytes, -10 * unit);
  if (std::round(size) == 1024) {
    ++unit;
    size = std::ldexp(size, -10);
  }
  if (unit == 0) return fmt::format("{:.0f} bytes", size);
  char digits[16];  // fmt's own '#' puts a digit behind the point
  std::snprintf(digits, sizeof digits, size < 1000 ? "%#.3g" : "%#.0f", size);
  return fmt::format("{} {}", digits, kUnits[unit]);
}

std::string with_commas(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace gpy::rt
