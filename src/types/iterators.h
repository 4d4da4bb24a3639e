#pragma once
// The iterators that builtins make: enumerate, zip, map, filter, reversed, iter(f, sentinel).

#include "src/value.h"

namespace gpy {

// Called by setup_builtins.
void setup_iterators(Interpreter& vm);
// iter(callable, sentinel)
Value make_callable_iterator(Interpreter& vm, const Value& callable, const Value& sentinel);

}  // namespace gpy
