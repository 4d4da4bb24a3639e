#include "runtime/memory/pool_limit.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/core/environment.h"
#include "runtime/core/error.h"

namespace gpy::rt {

std::optional<size_t> memory_limit_of_environment(size_t total) {
  constexpr const char* kVariable = "CUPY_GPU_MEMORY_LIMIT";
  const std::string text = environment_variable(kVariable);
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const bool is_share = *end == '%';
  const std::string_view rest = end + (is_share ? 1 : 0);
  if (end == text.c_str() || !rest.empty() || !(number >= 0) || (is_share && number > 100)) {
    fail(ErrorKind::kValue, "{}={}: neither a number of bytes nor a percentage", kVariable, text);
  }
  const double bytes = is_share ? number / 100 * static_cast<double>(total) : number;
  return static_cast<size_t>(std::min(bytes, 1e18));
}

}  // namespace gpy::rt
