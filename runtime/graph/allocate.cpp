#include "runtime/graph/allocate.h"

#include <cmath>
#include <cstdio>

#include "runtime/core/error_facts.h"

namespace gpy::rt {

// "7.28 TiB", "711. PiB": as NumPy's _ArrayMemoryError has sizes.
static std::string size_text(int64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = bytes > 1 ? static_cast<int>(std::log2(static_cast<double>(bytes))) / 10 : 0;
  double size = std::ldexp(static_cast<double>(bytes), -10 * unit);
  if (std::round(size) == 1024) {
    ++unit;
    size = std::ldexp(size, -10);
  }
  if (unit == 0) return fmt::format("{:.0f} bytes", size);
  char digits[16];  // fmt's own '#' puts a digit behind the point
  std::snprintf(digits, sizeof digits, size < 1000 ? "%#.3g" : "%#.0f", size);
  return fmt::format("{} {}", digits, kUnits[unit]);
}

Ref<Buffer> allocate_array(Backend& backend, int64_t bytes, const Layout& layout,
                           const Origin& origin) {
  try {
    return backend.allocate(static_cast<size_t>(bytes));
  } catch (const HostMemoryError&) {
    throw ArrayMemoryError(
        fmt::format("Unable to allocate {} for an array with shape {} and data type {}",
                    size_text(bytes), tuple_text(layout.shape), name(layout.dtype)),
        true, layout, origin);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kMemory) throw;
    throw ArrayMemoryError(error.message(), false, layout, origin);
  }
}

}  // namespace gpy::rt
