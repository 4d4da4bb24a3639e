#pragma once
// gp.checked: what users' kernels are checked for.

#include "src/interpreter.h"

namespace gpy::lib {

// `with checked(on, nan=nan):`
Value checked(Interpreter& vm, bool on, bool nan);

}  // namespace gpy::lib
