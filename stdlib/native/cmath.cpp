// The module cmath: C's complex functions, with Python's errors.
#include <cmath>
#include <complex>
#include <numbers>

#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

using Complex128 = std::complex<double>;

static Complex128 to_complex(Interpreter& vm, const Value& v) {
  if (const Complex* z = v.try_as<Complex>()) return {z->real, z->imag};
  if (auto slot = vm.type_of(v)->slots.to_complex) return to_complex(vm, slot(vm, v));
  return {vm.to_real(v), 0.0};
}

static Value from_complex(Interpreter& vm, Complex128 z) { return vm.complex(z.real(), z.imag()); }

static bool is_finite(Complex128 z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }
static bool has_nan(Complex128 z) { return std::isnan(z.real()) || std::isnan(z.imag()); }
static bool has_infinity(Complex128 z) { return std::isinf(z.real()) || std::isinf(z.imag()); }

// What an infinite result of a finite argument is: too large a number, or a pole.
enum class Infinity { overflow, pole };

static Value checked(Interpreter& vm, Complex128 argument, Complex128 result, Infinity infinity) {
  const bool infinite = has_infinity(result) && is_finite(argument);
  if (infinite && infinity == Infinity::overflow) vm.raise_overflow_error("math range error");
  if (infinite || (has_nan(result) && !has_nan(argument)))
    vm.raise_value_error("math domain error");
  return from_complex(vm, result);
}

template <Complex128 (*F)(const Complex128&), Infinity infinity = Infinity::overflow>
static Value unary(Interpreter& vm, Args args) {
  Complex128 z = to_complex(vm, args[0]);
  return checked(vm, z, F(z), infinity);
}

static Complex128 logarithm(Interpreter& vm, Complex128 z) {
  if (z == Complex128(0, 0)) vm.raise_value_error("math domain error");
  return std::log(z);
}

static Value cmath_log(Interpreter& vm, Args args) {
  Complex128 result = logarithm(vm, to_complex(vm, args[0]));
  if (args.has(1)) result /= logarithm(vm, to_complex(vm, args[1]));
  return from_complex(vm, result);
}

static Value cmath_log10(Interpreter& vm, Args args) {
  return from_complex(vm, logarithm(vm, to_complex(vm, args[0])) / std::numbers::ln10);
}

static Value cmath_phase(Interpreter& vm, Args args) {
  Complex128 z = to_complex(vm, args[0]);
  return Value::real(std::atan2(z.imag(), z.real()));
}

static Value cmath_polar(Interpreter& vm, Args args) {
  Complex128 z = to_complex(vm, args[0]);
  return vm.tuple(
      {Value::real(std::hypot(z.real(), z.imag())), Value::real(std::atan2(z.imag(), z.real()))});
}

static Value cmath_rect(Interpreter& vm, Args args) {
  double radius = vm.to_real(args[0]), angle = vm.to_real(args[1]);
  return vm.complex(radius * std::cos(angle), radius * std::sin(angle));
}

static Value cmath_isfinite(Interpreter& vm, Args args) {
  return Value::boolean(is_finite(to_complex(vm, args[0])));
}
static Value cmath_isinf(Interpreter& vm, Args args) {
  return Value::boolean(has_infinity(to_complex(vm, args[0])));
}
static Value cmath_isnan(Interpreter& vm, Args args) {
  return Value::boolean(has_nan(to_complex(vm, args[0])));
}

static Value cmath_isclose(Interpreter& vm, Args args) {
  Complex128 a = to_complex(vm, args[0]), b = to_complex(vm, args[1]);
  double relative = vm.to_real(args[2]), absolute = vm.to_real(args[3]);
  if (relative < 0 || absolute < 0) vm.raise_value_error("tolerances must be non-negative");
  if (a == b) return Value::boolean(true);
  if (has_infinity(a) || has_infinity(b)) return Value::boolean(false);
  double difference = std::abs(a - b);
  return Value::boolean(difference <= relative * std::abs(b) ||
                        difference <= relative * std::abs(a) || difference <= absolute);
}

static const Native kRows[] = {
    {"acos", "(z, /)", unary<std::acos>, "Arc cosine."},
    {"acosh", "(z, /)", unary<std::acosh>, "Inverse hyperbolic cosine."},
    {"asin", "(z, /)", unary<std::asin>, "Arc sine."},
    {"asinh", "(z, /)", unary<std::asinh>, "Inverse hyperbolic sine."},
    {"atan", "(z, /)", unary<std::atan, Infinity::pole>, "Arc tangent."},
    {"atanh", "(z, /)", unary<std::atanh, Infinity::pole>, "Inverse hyperbolic tangent."},
    {"cos", "(z, /)", unary<std::cos>, "Cosine."},
    {"cosh", "(z, /)", unary<std::cosh>, "Hyperbolic cosine."},
    {"exp", "(z, /)", unary<std::exp>, "e to the power z."},
    {"isclose", "(a, b, *, rel_tol=1e-09, abs_tol=0.0)", cmath_isclose,
     "Whether two numbers are near."},
    {"isfinite", "(z, /)", cmath_isfinite, "Whether both parts are finite."},
    {"isinf", "(z, /)", cmath_isinf, "Whether a part is infinite."},
    {"isnan", "(z, /)", cmath_isnan, "Whether a part is not a number."},
    {"log", "(z, base=<math.e>, /)", cmath_log, "Logarithm to a base, e by default."},
    {"log10", "(z, /)", cmath_log10, "Logarithm to base 10."},
    {"phase", "(z, /)", cmath_phase, "The angle, in radians."},
    {"polar", "(z, /)", cmath_polar, "(length, angle)"},
    {"rect", "(r, phi, /)", cmath_rect, "The number of a length and an angle."},
    {"sin", "(z, /)", unary<std::sin>, "Sine."},
    {"sinh", "(z, /)", unary<std::sinh>, "Hyperbolic sine."},
    {"sqrt", "(z, /)", unary<std::sqrt>, "Square root."},
    {"tan", "(z, /)", unary<std::tan>, "Tangent."},
    {"tanh", "(z, /)", unary<std::tanh>, "Hyperbolic tangent."},
};

Value open_cmath(Interpreter& vm) {
  Ref<Module> module = vm.make_module("cmath", kRows);
  module->set(vm, "pi", Value::real(std::numbers::pi));
  module->set(vm, "e", Value::real(std::numbers::e));
  module->set(vm, "tau", Value::real(2 * std::numbers::pi));
  module->set(vm, "inf", Value::real(INFINITY));
  module->set(vm, "nan", Value::real(NAN));
  module->set(vm, "infj", vm.complex(0, INFINITY));
  module->set(vm, "nanj", vm.complex(0, NAN));
  return module;
}

}  // namespace gpy::lib
