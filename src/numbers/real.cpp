// Floats.
#include <cmath>

#include "src/interpreter.h"
#include "src/numbers/real.h"

namespace gpy {

[[noreturn]] static void raise_overflow(Interpreter& vm) {
  constexpr int kRange = 34;  // ERANGE
  vm.raise(vm.make_exception(vm.types.overflow_error,
                             {Value::integer(kRange), vm.str("Numerical result out of range")}));
}

double real_remainder(double lhs, double rhs) {
  double rest = std::fmod(lhs, rhs);
  if (rest == 0) return std::copysign(0.0, rhs);
  return (rhs < 0) != (rest < 0) ? rest + rhs : rest;
}

double real_floor_divide(double lhs, double rhs) {
  double rest = std::fmod(lhs, rhs);
  double exact = (lhs - rest) / rhs;
  if (rest != 0 && (rhs < 0) != (rest < 0)) exact -= 1.0;
  if (exact == 0) return std::copysign(0.0, lhs / rhs);
  double quotient = std::floor(exact);
  return exact - quotient > 0.5 ? quotient + 1.0 : quotient;
}

static Value divide_rounding_down(Interpreter& vm, BinaryOp op, double a, double b) {
  if (b == 0) {
    vm.raise_zero_division_error("{}", op == BinaryOp::remainder ? "float modulo"
                                       : op == BinaryOp::floor_divide
                                           ? "float floor division by zero"
                                           : "float divmod()");
  }
  if (op == BinaryOp::floor_divide) return Value::real(real_floor_divide(a, b));
  if (op == BinaryOp::remainder) return Value::real(real_remainder(a, b));
  return vm.tuple({Value::real(real_floor_divide(a, b)), Value::real(real_remainder(a, b))});
}

static double real_power(Interpreter& vm, double base, double exponent) {
  if (base == 0 && exponent < 0) {
    vm.raise_zero_division_error("0.0 cannot be raised to a negative power");
  }
  double result = std::pow(base, exponent);
  if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent)) raise_overflow(vm);
  return result;
}

static Value power(Interpreter& vm, double base, double exponent) {
  bool complex = base < 0 && std::isfinite(base) && std::isfinite(exponent) &&
                 exponent != std::floor(exponent);
  if (!complex) return Value::real(real_power(vm, base, exponent));
  return complex_binary(vm, BinaryOp::power, base, exponent);
}

Value real_binary(Interpreter& vm, BinaryOp op, double a, double b) {
  switch (op) {
    case BinaryOp::add: return Value::real(a + b);
    case BinaryOp::subtract: return Value::real(a - b);
    case BinaryOp::multiply: return Value::real(a * b);
    case BinaryOp::true_divide:
      if (b == 0) vm.raise_zero_division_error("float division by zero");
      return Value::real(a / b);
    case BinaryOp::floor_divide:
    case BinaryOp::remainder:
    case BinaryOp::divmod: return divide_rounding_down(vm, op, a, b);
    case BinaryOp::power: return power(vm, a, b);
    default: return Value::not_implemented();
  }
}

}  // namespace gpy
