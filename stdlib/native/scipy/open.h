#pragma once
// scipy's parts, on the host, and cupyx.scipy's, on a device: the same functions.

#include "src/interpreter.h"

namespace gpy::lib {

void register_scipy_modules(Interpreter& vm);

Value open_scipy_signal(Interpreter& vm);
Value open_cupyx_signal(Interpreter& vm);
Value open_cupyx_special(Interpreter& vm);

}  // namespace gpy::lib
