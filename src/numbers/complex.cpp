// Complex numbers, by CPython's formulas so that the last bits agree.
#include <cmath>

#include "src/interpreter.h"
#include "src/numbers/real.h"

namespace gpy {

namespace {
struct Number {
  double real, imag;
};
}  // namespace

static Number multiply(Number a, Number b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}

// Smith's method: divides by the larger part first, so that no intermediate result overflows.
static Number divide(Interpreter& vm, Number a, Number b) {
  double real = std::fabs(b.real), imag = std::fabs(b.imag);
  if (real >= imag) {
    if (real == 0) vm.raise_zero_division_error("complex division by zero");
    double ratio = b.imag / b.real, scale = b.real + b.imag * ratio;
    return {(a.real + a.imag * ratio) / scale, (a.imag - a.real * ratio) / scale};
  }
  if (imag >= real) {
    double ratio = b.real / b.imag, scale = b.real * ratio + b.imag;
    return {(a.real * ratio + a.imag) / scale, (a.imag * ratio - a.real) / scale};
  }
  return {NAN, NAN};
}

static Number natural_power(Number base, unsigned long exponent) {
  Number result{1, 0};
  for (unsigned long mask = 1; mask && exponent >= mask; mask <<= 1) {
    if (exponent & mask) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

static Number whole_power(Interpreter& vm, Number base, long exponent) {
  if (exponent >= 0) return natural_power(base, static_cast<unsigned long>(exponent));
  if (base.real == 0 && base.imag == 0) {
    vm.raise_zero_division_error("0.0 to a negative or complex power");
  }
  return divide(vm, {1, 0}, natural_power(base, static_cast<unsigned long>(-exponent)));
}

static Number polar_power(Interpreter& vm, Number a, Number b) {
  if (b.real == 0 && b.imag == 0) return {1, 0};
  if (a.real == 0 && a.imag == 0) {
    if (b.imag != 0 || b.real < 0)
      vm.raise_zero_division_error("0.0 to a negative or complex power");
    return {0, 0};
  }
  double magnitude = std::hypot(a.real, a.imag), angle = std::atan2(a.imag, a.real);
  double length = std::pow(magnitude, b.real), phase = angle * b.real;
  if (b.imag != 0) {
    length /= std::exp(angle * b.imag);
    phase += b.imag * std::log(magnitude);
  }
  return {length * std::cos(phase), length * std::sin(phase)};
}

static Number complex_power(Interpreter& vm, Number base, Number exponent) {
  bool whole = exponent.imag == 0 && exponent.real == std::floor(exponent.real) &&
               std::fabs(exponent.real) <= 100;
  Number result = whole ? whole_power(vm, base, static_cast<long>(exponent.real))
                        : polar_power(vm, base, exponent);
  bool overflow = std::isinf(result.real) || std::isinf(result.imag);
  if (overflow && std::isfinite(base.real) && std::isfinite(base.imag)) {
    vm.raise_overflow_error("complex exponentiation");
  }
  return result;
}

static Number operate(Interpreter& vm, BinaryOp op, Number a, Number b) {
  switch (op) {
    case BinaryOp::add: return {a.real + b.real, a.imag + b.imag};
    case BinaryOp::subtract: return {a.real - b.real, a.imag - b.imag};
    case BinaryOp::multiply: return multiply(a, b);
    case BinaryOp::true_divide: return divide(vm, a, b);
    default: return complex_power(vm, a, b);
  }
}

Value complex_binary(Interpreter& vm, BinaryOp op, std::complex<double> lhs,
                     std::complex<double> rhs) {
  Number result = operate(vm, op, {lhs.real(), lhs.imag()}, {rhs.real(), rhs.imag()});
  return vm.complex(result.real, result.imag);
}

}  // namespace gpy
