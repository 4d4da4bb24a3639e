#pragma once
// The objects that belong to an array: its iterators, `.flat` and `.flags`.

#include "src/array/arrays.h"

namespace gpy {

struct ArrayIterator : Object {
  static constexpr ObjectLayout kLayout = kArrayIteratorLayout;
  ArrayIterator(Type* type, Value array) : Object(type), array(std::move(array)) {}
  Value array;
  int64_t next = 0;
};

// An iterator over the first axis. TypeError "iteration over a 0-d array".
Value make_array_iterator(Interpreter& vm, const Value& array);
// `.flat`: an iterator in C order that can be indexed and assigned to.
Value make_flat_iterator(Interpreter& vm, const Value& array);
void setup_flat_iterator(Arrays& state);
// The elements of an array's `.flat` in one row, a view where they lie so; undefined for all else.
Value row_of_flat(Interpreter& vm, const Value& value);
Value make_flags(Interpreter& vm, const Value& array);

}  // namespace gpy
