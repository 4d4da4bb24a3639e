#pragma once
// The names of an array module that are not functions: ufuncs, types, constants, parts.

#include "src/interpreter.h"

namespace gpy::lib {

// The functions for Module::missing and Module::list_missing of numpy, cupy and gpy.
Value find_array_name(Interpreter& vm, Module& module, Str* name);
void list_array_names(Interpreter& vm, Module& module, std::vector<Str*>& names);

}  // namespace gpy::lib
