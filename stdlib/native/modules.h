#pragma once
// The loaders of the native modules of Python's own library, for Interpreter::register_module.

#include "src/value.h"

namespace gpy::lib {

#define GPY_NATIVE_MODULES(X) X(math) X(cmath) X(time) X(sys) X(operator)

#define GPY_DECLARE(name) Value open_##name(Interpreter& vm);
GPY_NATIVE_MODULES(GPY_DECLARE)
#undef GPY_DECLARE

}  // namespace gpy::lib
