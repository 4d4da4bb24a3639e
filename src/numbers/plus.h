#pragma once
// a + b for natives that add item by item: two small ints or two floats take a short path.

#include "src/interpreter.h"

namespace gpy {

inline Value plus(Interpreter& vm, const Value& a, const Value& b) {
  int64_t sum;
  if (a.is_integer() && b.is_integer() &&
      !__builtin_add_overflow(a.as_integer(), b.as_integer(), &sum)) {
    return Value::integer(sum);
  }
  if (a.is_real() && b.is_real()) return Value::real(a.as_real() + b.as_real());
  return vm.binary(BinaryOp::add, a, b);
}

}  // namespace gpy
