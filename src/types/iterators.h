#pragma once
// The iterators that builtins make: enumerate, zip, map, filter, reversed, iter(f, sentinel).

#include <cstddef>

#include "src/value.h"

namespace gpy {

// Called by setup_builtins.
void setup_iterators(Interpreter& vm);
// iter(callable, sentinel)
Value make_callable_iterator(Interpreter& vm, const Value& callable, const Value& sentinel);

// Stores the next row of zip, enumerate or dict.items(), its `count` items, in `to`: for loops that
// would unpack the tuple at once. `other`: nothing was done, call Interpreter::next.
enum class Row { other, taken, end };
Row next_row(Interpreter& vm, const Value& iterator, Value* to, size_t count);
// The same for pairs of zip and enumerate that only need copying: from lists and tuples that are
// not at their ends, where no old value in `to` is destroyed. False: nothing was done.
bool take_plain_pair(const Interpreter& vm, const Value& iterator, Value* to);

}  // namespace gpy
