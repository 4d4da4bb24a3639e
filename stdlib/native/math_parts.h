#pragma once
// The rows of math that have files of their own.

#include "src/interpreter.h"

namespace gpy::lib {

Value math_factorial(Interpreter& vm, Args args);
Value math_comb(Interpreter& vm, Args args);
Value math_perm(Interpreter& vm, Args args);
Value math_gcd(Interpreter& vm, Args args);
Value math_lcm(Interpreter& vm, Args args);
Value math_isqrt(Interpreter& vm, Args args);

Value math_fsum(Interpreter& vm, Args args);
Value math_hypot(Interpreter& vm, Args args);
Value math_dist(Interpreter& vm, Args args);

}  // namespace gpy::lib
