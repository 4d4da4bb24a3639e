// The functions of math on whole numbers.
#include "src/objects/int.h"
#include "stdlib/native/math_parts.h"

#include <boost/multiprecision/integer.hpp>

#include "src/numbers/big_arithmetic.h"
#include "src/numbers/number.h"

namespace gpy::lib {

static BigInt natural(Interpreter& vm, const Value& v, const char* name) {
  BigInt n = to_big(vm.to_index_value(v));
  if (n.sign() < 0) vm.raise_value_error("{} must be a non-negative integer", name);
  return n;
}

static unsigned long countable(Interpreter& vm, const BigInt& n, const char* what) {
  if (n > INT64_MAX) vm.raise_overflow_error("{} should not exceed 9223372036854775807", what);
  return static_cast<unsigned long>(n);
}

// from * (from + 1) * ... * to by halves, so that the factors stay balanced.
static BigInt product(Interpreter& vm, uint64_t from, uint64_t to) {
  if (from > to) return 1;
  if (to - from < 8) {
    BigInt result = from;
    for (uint64_t i = from + 1; i <= to; ++i) result *= i;
    return result;
  }
  uint64_t middle = from + (to - from) / 2;
  vm.poll();
  return multiply(vm, product(vm, from, middle), product(vm, middle + 1, to));
}

Value math_factorial(Interpreter& vm, const Value& number) {
  Value n = vm.to_index_value(number);
  bool negative = n.is_integer() ? n.as_integer() < 0 : to_big(n).sign() < 0;
  if (negative) vm.raise_value_error("factorial() not defined for negative values");
  if (!n.is_integer())
    vm.raise_overflow_error("factorial() argument should not exceed {}", INT64_MAX);
  return from_big(vm, product(vm, 1, static_cast<uint64_t>(n.as_integer())));
}

Value math_comb(Interpreter& vm, const Value& all, const Value& chosen) {
  BigInt n = natural(vm, all, "n"), k = natural(vm, chosen, "k");
  if (k > n) return Value::integer(0);
  unsigned long count = countable(vm, BigInt(n - k) < k ? BigInt(n - k) : k, "min(n - k, k)");
  BigInt result = 1, rest;
  for (unsigned long i = 0; i < count; ++i) {
    const BigInt product = multiply(vm, result, n - i);
    divide(vm, product, i + 1, result, rest);
    vm.poll();
  }
  return from_big(vm, std::move(result));
}

Value math_perm(Interpreter& vm, const Value& all, const Value& chosen) {
  BigInt n = natural(vm, all, "n");
  BigInt k = chosen.is_none() ? n : natural(vm, chosen, "k");
  if (k > n) return Value::integer(0);
  BigInt result = 1;
  unsigned long count = countable(vm, k, "k");
  for (unsigned long i = 0; i < count; ++i) {
    result = multiply(vm, result, n - i);
    vm.poll();
  }
  return from_big(vm, std::move(result));
}

Value math_gcd(Interpreter& vm, std::span<const Value> integers) {
  BigInt result = 0;
  for (const Value& each : integers) {
    vm.poll();
    result = greatest_divisor(vm, result, to_big(vm.to_index_value(each)));
  }
  return from_big(vm, abs(result));
}

Value math_lcm(Interpreter& vm, std::span<const Value> integers) {
  BigInt result = 1;
  for (const Value& each : integers) {
    vm.poll();
    BigInt next = to_big(vm.to_index_value(each));
    if (result.is_zero() || next.is_zero()) {
      result = 0;
      continue;
    }
    BigInt quotient, rest;
    divide(vm, result, greatest_divisor(vm, result, next), quotient, rest);
    result = abs(multiply(vm, quotient, next));
  }
  return from_big(vm, std::move(result));
}

Value math_isqrt(Interpreter& vm, const Value& number) {
  BigInt n = to_big(vm.to_index_value(number));
  if (n.sign() < 0) vm.raise_value_error("isqrt() argument must be nonnegative");
  return from_big(vm, square_root(vm, n));
}

}  // namespace gpy::lib
