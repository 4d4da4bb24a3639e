#pragma once
// The loaders of the native modules of Python's own library, for Interpreter::register_module.

#include "src/value.h"

namespace gpy::lib {

Value open_math(Interpreter& vm);
Value open_time(Interpreter& vm);
Value open_sys(Interpreter& vm);

}  // namespace gpy::lib
