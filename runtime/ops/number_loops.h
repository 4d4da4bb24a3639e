#pragma once

// The elementary functions for one number by itself are the C library's: within 1 ulp, where the
// vectors' are within 4, so that a number prints as NumPy prints it.

#include <string_view>

#include "runtime/core/dtype.h"
#include "runtime/ops/ufunc.h"

namespace gpy::rt {

// For arguments and a result of `type`. Null: the function's own loop rounds as well.
TileLoop number_loop(std::string_view name, DType type);

}  // namespace gpy::rt
