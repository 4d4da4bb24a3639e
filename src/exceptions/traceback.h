#pragma once
// The trace of an exception as scripts see it: __traceback__, its frames and their code.

#include <span>

#include "src/native.h"

namespace gpy {

class Interpreter;

void setup_tracebacks(Interpreter& vm);

// co_name, co_filename ...: of code objects.
std::span<const NativeGetter> code_getters();

}  // namespace gpy
