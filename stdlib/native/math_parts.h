#pragma once
// The rows of math that have files of their own.

#include <span>

#include "src/interpreter.h"

namespace gpy::lib {

Value math_factorial(Interpreter& vm, const Value& n);
Value math_comb(Interpreter& vm, const Value& n, const Value& k);
Value math_perm(Interpreter& vm, const Value& n, const Value& k);
Value math_gcd(Interpreter& vm, std::span<const Value> integers);
Value math_lcm(Interpreter& vm, std::span<const Value> integers);
Value math_isqrt(Interpreter& vm, const Value& n);

Value math_fsum(Interpreter& vm, const Value& numbers);
Value math_hypot(Interpreter& vm, std::span<const Value> coordinates);
Value math_dist(Interpreter& vm, const Value& p, const Value& q);

}  // namespace gpy::lib
