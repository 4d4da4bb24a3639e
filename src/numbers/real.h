#pragma once
// The three arithmetics behind number_binary.

#include <complex>

#include "src/type.h"
#include "src/value.h"

namespace gpy {

Value int_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs);
Value real_binary(Interpreter& vm, BinaryOp op, double lhs, double rhs);
Value complex_binary(Interpreter& vm, BinaryOp op, std::complex<double> lhs,
                     std::complex<double> rhs);

// Python's // and %: the quotient is rounded down, the remainder has the divisor's sign.
double real_floor_divide(double lhs, double rhs);  // rhs != 0
double real_remainder(double lhs, double rhs);     // rhs != 0
// Whether both are from 0 to 2^32 - 1: their division takes a third of the time.
inline bool are_short(int64_t lhs, int64_t rhs) {
  return ((static_cast<uint64_t>(lhs) | static_cast<uint64_t>(rhs)) >> 32) == 0;
}
inline int64_t int_floor_divide(int64_t lhs, int64_t rhs) {  // rhs not 0, not INT64_MIN // -1
  if (are_short(lhs, rhs)) return static_cast<uint32_t>(lhs) / static_cast<uint32_t>(rhs);
  int64_t quotient = lhs / rhs;
  return quotient - ((lhs % rhs != 0) & ((lhs < 0) != (rhs < 0)));
}
inline int64_t int_remainder(int64_t lhs, int64_t rhs) {  // as above
  if (are_short(lhs, rhs)) return static_cast<uint32_t>(lhs) % static_cast<uint32_t>(rhs);
  int64_t remainder = lhs % rhs;
  return remainder != 0 && (remainder < 0) != (rhs < 0) ? remainder + rhs : remainder;
}

}  // namespace gpy
