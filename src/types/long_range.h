#pragma once
// Ranges whose bounds or length go beyond 64 bits: the same type, with ints of any size inside.

#include "src/value.h"

namespace gpy {

bool is_long_range(const Value& v);
// A range of three ints, the step not 0.
Value make_long_range(Interpreter& vm, Value start, Value stop, Value step);

// The numbers of a range of either kind.
struct RangeParts {
  Value start, stop, step, length;
};
RangeParts range_parts(const Value& range);

Value long_range_getitem(Interpreter& vm, const Value& self, const Value& key);
// The position of an int, undefined when it is not in the range.
Value long_range_position(Interpreter& vm, const Value& self, const Value& number);
Value long_range_iter(Interpreter& vm, const Value& self, bool backward = false);
// Destroys a range of either kind.
void destroy_range(Object* self);
void setup_long_range_iterator(Interpreter& vm);

}  // namespace gpy
