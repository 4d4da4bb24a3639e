#pragma once
// The iterators that builtins make: enumerate, zip, map, filter, reversed, iter(f, sentinel).

#include <cstddef>

#include <vector>

#include "src/objects/containers.h"

namespace gpy {

struct Enumerate : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Enumerate(Type* type, Value iterator, Value next)
      : Object(type), iterator(std::move(iterator)), next(std::move(next)) {}
  Value iterator, next;
  Ref<Tuple> pair;  // the last result; reused if nobody has kept it
};

struct Zip : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  using Object::Object;
  std::vector<Value> iterators;
  Ref<Tuple> row;  // like Enumerate::pair
  bool strict = false;
};

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
