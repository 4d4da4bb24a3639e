#pragma once
// scipy's parts, on the host, and cupyx.scipy's, on a device: the same functions.

#include "src/array/namespace.h"
#include "src/interpreter.h"

namespace gpy::lib {

void register_scipy_modules(Interpreter& vm);

// A part whose names are its rows and those of the library's text (stdlib/scipy/PART).
Value open_scipy_part(Interpreter& vm, const char* name, const Namespace& names,
                      std::span<const Native> rows);

Value open_scipy_signal(Interpreter& vm);
Value open_cupyx_signal(Interpreter& vm);
Value open_cupyx_special(Interpreter& vm);

}  // namespace gpy::lib
