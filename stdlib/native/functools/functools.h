#pragma once
// Declarations that the files of functools share.

#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "stdlib/native/attributes.h"
#include "stdlib/native/fields.h"

namespace gpy::lib {

void add_partial(Interpreter& vm, Module& module);
void add_lru_cache(Interpreter& vm, Module& module);
void add_sort_keys(Interpreter& vm, Module& module);
void add_cached_property(Interpreter& vm, Module& module);

}  // namespace gpy::lib
