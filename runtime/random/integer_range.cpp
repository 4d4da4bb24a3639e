#include "runtime/random/integer_range.h"

#include "runtime/core/error.h"

namespace gpy::rt {
namespace {

Int128 smallest(DType dtype) {
  if (kind(dtype) != DTypeKind::kSigned) return 0;
  return -(static_cast<Int128>(1) << (8 * item_size(dtype) - 1));
}

Int128 largest(DType dtype) {
  if (dtype == DType::kBool) return 1;
  const int bits = static_cast<int>(8 * item_size(dtype)) - (kind(dtype) == DTypeKind::kSigned);
  return (static_cast<Int128>(1) << bits) - 1;
}

}  // namespace

IntegerRange make_integer_range(DType dtype, Int128 low, Int128 high, bool endpoint,
                                std::string_view method) {
  if (dtype != DType::kBool && !is_integer(dtype)) {
    fail(ErrorKind::kType, "Unsupported dtype dtype('{}') for {}", name(dtype), method);
  }
  if (low < smallest(dtype)) {
    fail(ErrorKind::kValue, "low is out of bounds for {}", name(dtype));
  }
  const Int128 last = endpoint ? high : high - 1;
  if (last > largest(dtype)) {
    fail(ErrorKind::kValue, "high is out of bounds for {}", name(dtype));
  }
  if (low > last && low == 0) fail(ErrorKind::kValue, "high {} 0", endpoint ? "<" : "<=");
  if (low > last) fail(ErrorKind::kValue, "low {} high", endpoint ? ">" : ">=");
  return {static_cast<int64_t>(low), static_cast<uint64_t>(last - low)};
}

}  // namespace gpy::rt
