// The module math: C's functions on doubles, with Python's errors.
#include <cmath>
#include <numbers>

#include "src/numbers/number.h"
#include "src/typed_native.h"
#include "stdlib/native/math_parts.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

[[noreturn]] static void raise_domain(Interpreter& vm) {
  vm.raise_value_error("math domain error");
}
[[noreturn]] static void raise_range(Interpreter& vm) {
  vm.raise_overflow_error("math range error");
}

enum class Infinite { is_range_error, is_domain_error };

static Value checked(Interpreter& vm, double result, bool had_nan, bool was_finite,
                     Infinite infinite) {
  if (std::isnan(result) && !had_nan) raise_domain(vm);
  if (std::isinf(result) && was_finite) {
    infinite == Infinite::is_range_error ? raise_range(vm) : raise_domain(vm);
  }
  return Value::real(result);
}

template <double (*F)(double), Infinite infinite> static Value unary(Interpreter& vm, double x) {
  return checked(vm, F(x), std::isnan(x), std::isfinite(x), infinite);
}

template <double (*F)(double, double)> static Value binary(Interpreter& vm, double x, double y) {
  return checked(vm, F(x, y), std::isnan(x) || std::isnan(y), std::isfinite(x) && std::isfinite(y),
                 Infinite::is_range_error);
}

static double degrees(double x) { return x * (180.0 / std::numbers::pi); }
static double radians(double x) { return x * (std::numbers::pi / 180.0); }

// Whole arguments give the exact factorial.
static double gamma_function(double x) {
  if (x <= 0 && x == std::floor(x)) return NAN;  // -inf too
  double result = std::tgamma(x);
  return x == std::floor(x) && x <= 23 ? std::round(result) : result;
}

static double log_gamma(double x) {
  int sign;
  const bool is_pole = x <= 0 && x == std::floor(x) && std::isfinite(x);
  return is_pole ? NAN : ::lgamma_r(x, &sign);
}

// --- logarithms, of ints of any size too ---------------------------------------------------------

static bool fits_double(const Value& v) { return !is_int(v) || bit_length(v) <= 1023; }

// The logarithm of an int that no double holds, from its leading part in [0.5, 1) and its exponent.
template <double (*F)(double)> static double log_of_large(Interpreter& vm, const Value& v) {
  int64_t shift = bit_length(v) - 512;
  Value leading = vm.binary(BinaryOp::right_shift, v, Value::integer(shift));
  int exponent;
  double mantissa = std::frexp(int_to_real(vm, leading), &exponent);
  return F(mantissa) + F(2.0) * static_cast<double>(shift + exponent);
}

template <double (*F)(double)> static double logarithm(Interpreter& vm, const Value& v) {
  if (!fits_double(v)) {
    if (vm.less(v, Value::integer(0))) raise_domain(vm);
    return log_of_large<F>(vm, v);
  }
  double x = vm.to_real(v);
  if (x <= 0) raise_domain(vm);
  return F(x);
}

static Value math_log(Interpreter& vm, const Value& x, const Value& base) {
  double result = logarithm<std::log>(vm, x);
  if (base.is_undefined()) return Value::real(result);
  double divisor = logarithm<std::log>(vm, base);
  if (divisor == 0) vm.raise_zero_division_error("float division by zero");
  return Value::real(result / divisor);
}

static Value math_log2(Interpreter& vm, const Value& x) {
  return Value::real(logarithm<std::log2>(vm, x));
}

static Value math_log10(Interpreter& vm, const Value& x) {
  return Value::real(logarithm<std::log10>(vm, x));
}

// --- rounding ------------------------------------------------------------------------------------

template <double (*F)(double)>
static Value rounded(Interpreter& vm, const Value& v, const char* method) {
  if (is_int(v) && !vm.type_of(v)->is_class) return vm.to_index_value(v);
  if (!v.is_real()) {
    Value own = vm.try_get_attribute(v, vm.intern(method));
    if (own.is_defined()) return vm.call(own);
  }
  return int_from_real(vm, F(vm.to_real(v)));
}

static Value math_ceil(Interpreter& vm, const Value& x) {
  return rounded<std::ceil>(vm, x, "__ceil__");
}
static Value math_floor(Interpreter& vm, const Value& x) {
  return rounded<std::floor>(vm, x, "__floor__");
}
static Value math_trunc(Interpreter& vm, const Value& x) {
  const Value own = vm.try_get_attribute(x, vm.intern("__trunc__"));
  if (own.is_defined()) return vm.call(own);
  vm.raise_type_error("type {} doesn't define __trunc__ method", vm.type_name(x));
}

// --- parts of a double ---------------------------------------------------------------------------

static Value math_frexp(Interpreter& vm, double x) {
  int exponent = 0;
  double mantissa = std::isfinite(x) ? std::frexp(x, &exponent) : x;
  return vm.tuple({Value::real(mantissa), Value::integer(exponent)});
}

static Value math_ldexp(Interpreter& vm, double x, const Value& i) {
  if (!is_int(i)) vm.raise_type_error("Expected an int as second argument to ldexp.");
  const Value given = vm.to_index_value(i);
  int64_t exponent = given.is_integer()                  ? given.as_integer()
                     : vm.less(given, Value::integer(0)) ? -5000
                                                         : 5000;
  int clipped = static_cast<int>(std::clamp<int64_t>(exponent, -5000, 5000));
  return checked(vm, std::ldexp(x, clipped), std::isnan(x), std::isfinite(x),
                 Infinite::is_range_error);
}

static Value math_modf(Interpreter& vm, double x) {
  double whole;
  double fraction = std::modf(x, &whole);
  return vm.tuple({Value::real(fraction), Value::real(whole)});
}

static Value math_nextafter(Interpreter&, double x, double y) {
  return Value::real(std::nextafter(x, y));
}

static Value math_ulp(Interpreter&, double number) {
  double x = std::fabs(number);
  if (!std::isfinite(x)) return Value::real(x);
  double above = std::nextafter(x, INFINITY);
  return Value::real(std::isinf(above) ? x - std::nextafter(x, 0.0) : above - x);
}

static Value math_copysign(Interpreter&, double x, double y) {
  return Value::real(std::copysign(x, y));
}

static Value math_isfinite(Interpreter&, double x) { return Value::boolean(std::isfinite(x)); }
static Value math_isinf(Interpreter&, double x) { return Value::boolean(std::isinf(x)); }
static Value math_isnan(Interpreter&, double x) { return Value::boolean(std::isnan(x)); }

static Value math_isclose(Interpreter& vm, double a, double b, double relative, double absolute) {
  if (relative < 0 || absolute < 0) vm.raise_value_error("tolerances must be non-negative");
  if (a == b) return Value::boolean(true);
  if (std::isinf(a) || std::isinf(b)) return Value::boolean(false);
  double difference = std::fabs(b - a);
  return Value::boolean(difference <= std::fabs(relative * b) ||
                        difference <= std::fabs(relative * a) || difference <= absolute);
}

// --- powers and products -------------------------------------------------------------------------

static Value math_pow(Interpreter& vm, double x, double y) {
  double result = std::pow(x, y);
  bool finite = std::isfinite(x) && std::isfinite(y);
  if (finite && std::isnan(result)) raise_domain(vm);
  if (finite && std::isinf(result)) x == 0 ? raise_domain(vm) : raise_range(vm);
  return Value::real(result);
}

static Value math_prod(Interpreter& vm, const Value& factors, const Value& start) {
  Value result = start;
  vm.for_each(factors,
              [&](const Value& item) { result = vm.binary(BinaryOp::multiply, result, item); });
  return result;
}

static constexpr auto kRange = Infinite::is_range_error;
static constexpr auto kDomain = Infinite::is_domain_error;

static const Native kRows[] = {
    {"acos", "(x, /)", typed<unary<std::acos, kDomain>>, "Arc cosine, in radians."},
    {"acosh", "(x, /)", typed<unary<std::acosh, kDomain>>, "Inverse hyperbolic cosine."},
    {"asin", "(x, /)", typed<unary<std::asin, kDomain>>, "Arc sine, in radians."},
    {"asinh", "(x, /)", typed<unary<std::asinh, kDomain>>, "Inverse hyperbolic sine."},
    {"atan", "(x, /)", typed<unary<std::atan, kDomain>>, "Arc tangent, in radians."},
    {"atan2", "(y, x, /)", typed<binary<std::atan2>>, "The angle of the point (x, y), in radians."},
    {"atanh", "(x, /)", typed<unary<std::atanh, kDomain>>, "Inverse hyperbolic tangent."},
    {"cbrt", "(x, /)", typed<unary<std::cbrt, kDomain>>, "Cube root."},
    {"ceil", "(x, /)", typed<math_ceil>, "The smallest int that is not less than x."},
    {"comb", "(n, k, /)", typed<math_comb>, "Ways to choose k of n without order."},
    {"copysign", "(x, y, /)", typed<math_copysign>, "x with the sign of y."},
    {"cos", "(x, /)", typed<unary<std::cos, kDomain>>, "Cosine of x radians."},
    {"cosh", "(x, /)", typed<unary<std::cosh, kRange>>, "Hyperbolic cosine."},
    {"degrees", "(x, /)", typed<unary<degrees, kRange>>, "Radians to degrees."},
    {"dist", "(p, q, /)", typed<math_dist>, "Distance of two points."},
    {"erf", "(x, /)", typed<unary<std::erf, kDomain>>, "Error function."},
    {"erfc", "(x, /)", typed<unary<std::erfc, kDomain>>, "1 - erf(x)."},
    {"exp", "(x, /)", typed<unary<std::exp, kRange>>, "e to the power x."},
    {"exp2", "(x, /)", typed<unary<std::exp2, kRange>>, "2 to the power x."},
    {"expm1", "(x, /)", typed<unary<std::expm1, kRange>>, "exp(x) - 1, exact near 0."},
    {"fabs", "(x, /)", typed<unary<std::fabs, kDomain>>, "Absolute value, a float."},
    {"factorial", "(n, /)", typed<math_factorial>, "1 * 2 * ... * n."},
    {"floor", "(x, /)", typed<math_floor>, "The largest int that is not greater than x."},
    {"fmod", "(x, y, /)", typed<binary<std::fmod>>, "Remainder with the sign of x."},
    {"frexp", "(x, /)", typed<math_frexp>, "(m, e) with x == m * 2**e and 0.5 <= abs(m) < 1."},
    {"fsum", "(seq, /)", typed<math_fsum>, "Sum without loss of precision."},
    {"gamma", "(x, /)", typed<unary<gamma_function, kRange>>, "Gamma function."},
    {"gcd", "(*integers)", typed<math_gcd>, "Greatest common divisor."},
    {"hypot", "(*coordinates)", typed<math_hypot>, "Length of a vector."},
    {"isclose", "(a, b, *, rel_tol=1e-09, abs_tol=0.0)", typed<math_isclose>,
     "Whether two numbers are near."},
    {"isfinite", "(x, /)", typed<math_isfinite>, "Neither infinite nor nan."},
    {"isinf", "(x, /)", typed<math_isinf>, "Positive or negative infinity."},
    {"isnan", "(x, /)", typed<math_isnan>, "Not a number."},
    {"isqrt", "(n, /)", typed<math_isqrt>, "Square root of an int, rounded down."},
    {"lcm", "(*integers)", typed<math_lcm>, "Least common multiple."},
    {"ldexp", "(x, i, /)", typed<math_ldexp>, "x * 2**i."},
    {"lgamma", "(x, /)", typed<unary<log_gamma, kRange>>, "Logarithm of abs(gamma(x))."},
    {"log", "(x, base=<math.e>, /)", typed<math_log>, "Logarithm to a base, e by default."},
    {"log10", "(x, /)", typed<math_log10>, "Logarithm to base 10."},
    {"log1p", "(x, /)", typed<unary<std::log1p, kDomain>>, "log(1 + x), exact near 0."},
    {"log2", "(x, /)", typed<math_log2>, "Logarithm to base 2."},
    {"modf", "(x, /)", typed<math_modf>, "(fraction, whole), both with the sign of x."},
    {"nextafter", "(x, y, /)", typed<math_nextafter>, "The next float from x towards y."},
    {"perm", "(n, k=None, /)", typed<math_perm>, "Ways to choose k of n in order."},
    {"pow", "(x, y, /)", typed<math_pow>, "x to the power y, as floats."},
    {"prod", "(iterable, /, *, start=1)", typed<math_prod>, "Product of all items."},
    {"radians", "(x, /)", typed<unary<radians, kRange>>, "Degrees to radians."},
    {"remainder", "(x, y, /)", typed<binary<std::remainder>>,
     "x - n*y for the whole n nearest to x/y."},
    {"sin", "(x, /)", typed<unary<std::sin, kDomain>>, "Sine of x radians."},
    {"sinh", "(x, /)", typed<unary<std::sinh, kRange>>, "Hyperbolic sine."},
    {"sqrt", "(x, /)", typed<unary<std::sqrt, kDomain>>, "Square root."},
    {"tan", "(x, /)", typed<unary<std::tan, kDomain>>, "Tangent of x radians."},
    {"tanh", "(x, /)", typed<unary<std::tanh, kDomain>>, "Hyperbolic tangent."},
    {"trunc", "(x, /)", typed<math_trunc>, "The whole part, as an int."},
    {"ulp", "(x, /)", typed<math_ulp>, "The size of the last bit of x."},
};

Value open_math(Interpreter& vm) {
  Ref<Module> module = vm.make_module("math", kRows);
  module->set(vm, "pi", Value::real(std::numbers::pi));
  module->set(vm, "e", Value::real(std::numbers::e));
  module->set(vm, "tau", Value::real(2 * std::numbers::pi));
  module->set(vm, "inf", Value::real(INFINITY));
  module->set(vm, "nan", Value::real(NAN));
  return module;
}

}  // namespace gpy::lib
