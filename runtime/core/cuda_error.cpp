#include "runtime/core/cuda_error.h"

#include <algorithm>
#include <iterator>

namespace gpy::rt {
namespace {

struct Status {
  int code;
  const char* name;
  const char* driver_name;
  const char* text;
};

constexpr Status kStatuses[] = {
#define STATUS(code, name, driver_name, text) {code, name, driver_name, text},
#include "runtime/core/cuda_errors.def"
#undef STATUS
};

const Status* find(int code) {
  const auto found = std::ranges::lower_bound(kStatuses, code, {}, &Status::code);
  return found != std::end(kStatuses) && found->code == code ? found : nullptr;
}

}  // namespace

std::string cuda_error_text(int code) {
  const Status* status = find(code);
  if (!status) return "cudaErrorUnknown: unrecognized error code";
  return fmt::format("{}: {}", status->name, status->text);
}

std::string cuda_driver_error_text(int code) {
  const Status* status = find(code);
  if (!status || !*status->driver_name) return fmt::format("CUDA_ERROR_UNKNOWN: error {}", code);
  return fmt::format("{}: {}", status->driver_name, status->text);
}

}  // namespace gpy::rt
