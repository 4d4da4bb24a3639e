#pragma once
// The iterators that builtins make: enumerate, zip, map, filter, reversed, iter(f, sentinel).

#include <cstddef>

#include "src/value.h"

namespace gpy {

// Called by setup_builtins.
void setup_iterators(Interpreter& vm);
// iter(callable, sentinel)
Value make_callable_iterator(Interpreter& vm, const Value& callable, const Value& sentinel);

// The next row of zip, enumerate or dict.items(), its `count` items each at its place in `to`: for
// loops that would take the tuple apart at once. `other`: nothing was done, ask Interpreter::next.
enum class Row { other, taken, end };
Row next_row(Interpreter& vm, const Value& iterator, Value* to, size_t count);
// The same of pairs that zip and enumerate give, where it takes no more than copying: from lists
// and tuples that are not at their ends, and nothing in `to` ends for it. False: nothing was done.
bool take_plain_pair(const Interpreter& vm, const Value& iterator, Value* to);

}  // namespace gpy
