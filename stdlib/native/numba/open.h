#pragma once
// What the package numba needs of C++: functions that are compiled when they are called.

#include "src/interpreter.h"

namespace gpy::lib {

void register_numba_modules(Interpreter& vm);

}  // namespace gpy::lib
