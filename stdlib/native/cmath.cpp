// The module cmath: C's complex functions, with Python's errors.
#include <cmath>
#include <complex>
#include <numbers>

#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/typed_native.h"
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

// The meaning of an infinite result of a finite argument: too large a number, or a pole.
enum class Infinity { overflow, pole };

static Value checked(Interpreter& vm, Complex128 argument, Complex128 result, Infinity infinity) {
  const bool infinite = has_infinity(result) && is_finite(argument);
  if (infinite && infinity == Infinity::overflow) vm.raise_overflow_error("math range error");
  if (infinite || (has_nan(result) && !has_nan(argument)))
    vm.raise_value_error("math domain error");
  return from_complex(vm, result);
}

template <Complex128 (*F)(const Complex128&), Infinity infinity = Infinity::overflow>
static Value unary(Interpreter& vm, const Value& argument) {
  Complex128 z = to_complex(vm, argument);
  return checked(vm, z, F(z), infinity);
}

static Complex128 logarithm(Interpreter& vm, Complex128 z) {
  if (z == Complex128(0, 0)) vm.raise_value_error("math domain error");
  return std::log(z);
}

static Value cmath_log(Interpreter& vm, const Value& z, const Value& base) {
  Complex128 result = logarithm(vm, to_complex(vm, z));
  if (base.is_defined()) result /= logarithm(vm, to_complex(vm, base));
  return from_complex(vm, result);
}

static Value cmath_log10(Interpreter& vm, const Value& z) {
  return from_complex(vm, logarithm(vm, to_complex(vm, z)) / std::numbers::ln10);
}

static Value cmath_phase(Interpreter& vm, const Value& number) {
  Complex128 z = to_complex(vm, number);
  return Value::real(std::atan2(z.imag(), z.real()));
}

static Value cmath_polar(Interpreter& vm, const Value& number) {
  Complex128 z = to_complex(vm, number);
  return vm.tuple(
      {Value::real(std::hypot(z.real(), z.imag())), Value::real(std::atan2(z.imag(), z.real()))});
}

static Value cmath_rect(Interpreter& vm, double radius, double angle) {
  return vm.complex(radius * std::cos(angle), radius * std::sin(angle));
}

static Value cmath_isfinite(Interpreter& vm, const Value& z) {
  return Value::boolean(is_finite(to_complex(vm, z)));
}
static Value cmath_isinf(Interpreter& vm, const Value& z) {
  return Value::boolean(has_infinity(to_complex(vm, z)));
}
static Value cmath_isnan(Interpreter& vm, const Value& z) {
  return Value::boolean(has_nan(to_complex(vm, z)));
}

static Value cmath_isclose(Interpreter& vm, const Value& first, const Value& second,
                           const Value& rel_tol, const Value& abs_tol) {
  Complex128 a = to_complex(vm, first), b = to_complex(vm, second);
  double relative = vm.to_real(rel_tol), absolute = vm.to_real(abs_tol);
  if (relative < 0 || absolute < 0) vm.raise_value_error("tolerances must be non-negative");
  if (a == b) return Value::boolean(true);
  if (has_infinity(a) || has_infinity(b)) return Value::boolean(false);
  double difference = std::abs(a - b);
  return Value::boolean(difference <= relative * std::abs(b) ||
                        difference <= relative * std::abs(a) || difference <= absolute);
}

static const Native kRows[] = {
    {"acos", "(z, /)", typed<unary<std::acos>>, "Arc cosine."},
    {"acosh", "(z, /)", typed<unary<std::acosh>>, "Inverse hyperbolic cosine."},
    {"asin", "(z, /)", typed<unary<std::asin>>, "Arc sine."},
    {"asinh", "(z, /)", typed<unary<std::asinh>>, "Inverse hyperbolic sine."},
    {"atan", "(z, /)", typed<unary<std::atan, Infinity::pole>>, "Arc tangent."},
    {"atanh", "(z, /)", typed<unary<std::atanh, Infinity::pole>>, "Inverse hyperbolic tangent."},
    {"cos", "(z, /)", typed<unary<std::cos>>, "Cosine."},
    {"cosh", "(z, /)", typed<unary<std::cosh>>, "Hyperbolic cosine."},
    {"exp", "(z, /)", typed<unary<std::exp>>, "e to the power z."},
    {"isclose", "(a, b, *, rel_tol=1e-09, abs_tol=0.0)", typed<cmath_isclose>,
     "Whether two numbers are near."},
    {"isfinite", "(z, /)", typed<cmath_isfinite>, "Whether both parts are finite."},
    {"isinf", "(z, /)", typed<cmath_isinf>, "Whether a part is infinite."},
    {"isnan", "(z, /)", typed<cmath_isnan>, "Whether a part is not a number."},
    {"log", "(z, base=<math.e>, /)", typed<cmath_log>, "Logarithm to a base, e by default."},
    {"log10", "(z, /)", typed<cmath_log10>, "Logarithm to base 10."},
    {"phase", "(z, /)", typed<cmath_phase>, "The angle, in radians."},
    {"polar", "(z, /)", typed<cmath_polar>, "(length, angle)"},
    {"rect", "(r, phi, /)", typed<cmath_rect>, "The number of a length and an angle."},
    {"sin", "(z, /)", typed<unary<std::sin>>, "Sine."},
    {"sinh", "(z, /)", typed<unary<std::sinh>>, "Hyperbolic sine."},
    {"sqrt", "(z, /)", typed<unary<std::sqrt>>, "Square root."},
    {"tan", "(z, /)", typed<unary<std::tan>>, "Tangent."},
    {"tanh", "(z, /)", typed<unary<std::tanh>>, "Hyperbolic tangent."},
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
