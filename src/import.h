#pragma once
// Modules by name: what is registered, then files NAME.gpy and NAME.py, and packages with __init__,
// along the search path.

#include <string_view>

#include "src/object_function.h"

namespace gpy {

// `import name`, or `from ..name import` with a level, out of a module with these globals.
Value import_from_script(Interpreter& vm, std::string_view name, int level, Dict* globals);
// `from module import name`: an attribute, or a submodule. ImportError when neither is there.
Value imported_attribute(Interpreter& vm, const Value& module, Str* name);
// `from module import *`
void import_all(Interpreter& vm, const Value& module, Dict* globals);

}  // namespace gpy
