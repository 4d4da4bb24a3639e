#include "runtime/kernel/cache_settings.h"

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "runtime/core/environment.h"

namespace gpy::rt {
namespace {

// The binary exponent that a unit stands for; nothing if it is none.
std::optional<int> exponent_of(std::string_view unit) {
  if (unit.empty()) return 0;
  if (unit == "K") return 10;
  if (unit == "M") return 20;
  if (unit == "G") return 30;
  return std::nullopt;
}

}  // namespace

std::optional<size_t> wished_cache_bytes() {
  const std::string wish = environment_variable("GPY_CACHE_BYTES");
  size_t count = 0;
  const char* stop = wish.data() + wish.size();
  const auto [end, error] = std::from_chars(wish.data(), stop, count);
  if (error != std::errc()) return std::nullopt;
  const std::optional<int> exponent = exponent_of({end, stop});
  if (!exponent || count > SIZE_MAX >> *exponent) return std::nullopt;
  return count << *exponent;
}

std::optional<double> wished_compile_seconds() {
  const std::string wish = environment_variable("GPY_COMPILE_SECONDS");
  double seconds = 0;
  const char* stop = wish.data() + wish.size();
  const auto [end, error] = std::from_chars(wish.data(), stop, seconds);
  if (error != std::errc() || end != stop) return std::nullopt;
  return seconds > 0 && std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
}

}  // namespace gpy::rt
