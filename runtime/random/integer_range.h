#pragma once

// The bounds of integer draws, checked as NumPy checks them before anything is drawn.

#include <cstdint>
#include <string_view>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// Wide enough for every bound of every integer type, one past the end included.
__extension__ using Int128 = __int128;

struct IntegerRange {
  int64_t first;  // for uint64 its bits
  uint64_t last;  // the largest offset from `first`
};

// Throws kType for types that are not integers, kValue for bounds outside the type or crossed.
// `method` is "integers" or "randint".
IntegerRange make_integer_range(DType dtype, Int128 low, Int128 high, bool endpoint,
                                std::string_view method);

}  // namespace gpy::rt
