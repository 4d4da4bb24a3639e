#pragma once

// NaNs in memory, by their bits: nothing is computed with them.

#include <cstddef>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// Whether elements of this dtype in `bytes` bytes hold a NaN. False for dtypes that have none.
bool holds_nan(DType dtype, const std::byte* at, size_t bytes);

}  // namespace gpy::rt
