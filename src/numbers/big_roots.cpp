// Greatest common divisors and square roots of huge ints, in steps that interrupts can end.
#include "src/interpreter.h"
#include "src/numbers/big_arithmetic.h"

namespace gpy {

// --- greatest common divisor ---------------------------------------------------------------------

static size_t bits_of(const BigInt& number) { return number.is_zero() ? 0 : msb(number) + 1; }

namespace {

// a and b become x0 * a + y0 * b and x1 * a + y1 * b.
struct EuclidSteps {
  int64_t x0 = 1, y0 = 0, x1 = 0, y1 = 1;
};

}  // namespace

// The steps of Euclid's that the leading bits determine (Lehmer's; Knuth, TAOCP 2, 4.5.2 L).
static EuclidSteps steps_by_leading_bits(const BigInt& a, const BigInt& b) {
  constexpr size_t kLeading = 31;  // so that what follows stays below 64 bits
  const size_t shift = bits_of(a) - kLeading;
  auto u = static_cast<int64_t>(BigInt(a >> shift)), v = static_cast<int64_t>(BigInt(b >> shift));
  EuclidSteps by;
  while (v + by.x1 != 0 && v + by.y1 != 0) {
    const int64_t quotient = (u + by.x0) / (v + by.x1);
    if (quotient != (u + by.y0) / (v + by.y1)) break;
    by = {by.x1, by.y1, by.x0 - quotient * by.x1, by.y0 - quotient * by.y1};
    const int64_t rest = u - quotient * v;
    u = v;
    v = rest;
  }
  return by;
}

BigInt greatest_divisor(Interpreter& vm, BigInt a, BigInt b) {
  constexpr size_t kFewBits = 4096;
  a = abs(a), b = abs(b);
  if (a < b) a.swap(b);
  BigInt quotient, rest;
  while (bits_of(b) > kFewBits) {
    vm.poll();
    const EuclidSteps by = steps_by_leading_bits(a, b);
    if (by.y0 == 0) {
      divide(vm, a, b, quotient, rest);
      a.swap(b);
      b.swap(rest);
    } else {
      rest = by.x1 * a + by.y1 * b;
      a = by.x0 * a + by.y0 * b;
      b.swap(rest);
    }
  }
  if (b.is_zero()) return a;
  divide(vm, a, b, quotient, rest);
  return gcd(b, rest);
}

// --- square root ---------------------------------------------------------------------------------

// Newton's steps with twice as many bits each (the adaptive method that CPython's mathmodule.c
// describes): the division of each step is as long as its result.
BigInt square_root(Interpreter& vm, const BigInt& number) {
  if (number.is_zero()) return 0;
  const size_t half = msb(number) / 2;
  BigInt root = 1, quotient, rest;
  size_t known = 0;
  for (size_t shift = half ? bits_of(BigInt(half)) : 0; shift-- > 0;) {
    const size_t before = known;
    known = half >> shift;
    divide(vm, number >> (2 * half - before - known + 1), root, quotient, rest);
    root = (root << (known - before - 1)) + quotient;
  }
  return multiply(vm, root, root) > number ? BigInt(root - 1) : root;
}

}  // namespace gpy
