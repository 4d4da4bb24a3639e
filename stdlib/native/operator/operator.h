#pragma once
// Declarations that the files of operator share.

#include "src/objects/builtin.h"
#include "src/interpreter.h"

namespace gpy::lib {

void add_getters(Interpreter& vm, Module& module);

// callable(*positional, **keywords)
Value call_with(Interpreter& vm, const Value& callable, std::span<const Value> positional,
                Dict& keywords);

}  // namespace gpy::lib
