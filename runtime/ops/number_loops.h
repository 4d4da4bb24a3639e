#pragma once

// The elementary functions for one number by itself are the C library's, which round better than
// the vectors' (most within 1 ulp), so that a number prints as NumPy prints it nearly always.

#include "runtime/core/dtype.h"
#include "runtime/ops/ufunc.h"

namespace gpy::rt {

// The loop for arguments and a result of `type`. Null: the function's own loop rounds as well.
TileLoop number_loop(Row row, DType type);

}  // namespace gpy::rt
