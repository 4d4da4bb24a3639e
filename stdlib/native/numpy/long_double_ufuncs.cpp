// The ufuncs of longdouble and clongdouble, with NumPy's results at zeros, infinities and NaN.
#include <cfenv>

#include "stdlib/native/numpy/long_doubles.h"

namespace gpy::lib {

namespace {

constexpr LongDouble kPi = 3.141592653589793238462643383279502884L;
constexpr LongDouble kLn2 = 0.693147180559945309417232121458176568L;

// --- real ----------------------------------------------------------------------------------------

LongDouble sign_of(LongDouble x) { return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x; }

LongDouble log_of_sum(LongDouble x, LongDouble y, LongDouble scale, LongDouble (*power)(LongDouble),
                      LongDouble of_two) {
  if (x == y) return x + of_two;  // infinities too
  const LongDouble apart = x - y;
  if (apart > 0) return x + std::log1p(power(-apart)) * scale;
  return apart <= 0 ? y + std::log1p(power(apart)) * scale : apart;
}

LongDouble spacing_of(LongDouble x) {
  if (std::isinf(x)) return std::numeric_limits<LongDouble>::quiet_NaN();
  if (x == 0) return std::numeric_limits<LongDouble>::denorm_min();
  return std::nextafter(x, std::copysign(std::numeric_limits<LongDouble>::infinity(), x)) - x;
}

LongDouble step_of(LongDouble x, LongDouble at_zero) {
  return std::isnan(x) ? x : x == 0 ? at_zero : x < 0 ? 0 : 1;
}

#define UNARY(name, expression)                                                \
  {                                                                            \
    name, 1, [](LongDouble x, LongDouble) -> LongDouble { return expression; } \
  }
#define BINARY(name, expression)                                                 \
  {                                                                              \
    name, 2, [](LongDouble x, LongDouble y) -> LongDouble { return expression; } \
  }
#define QUIET(name, arity, expression)                                                             \
  {                                                                                                \
    name, arity,                                                                                   \
        [](LongDouble x, [[maybe_unused]] LongDouble y) -> LongDouble { return expression; }, true \
  }

constexpr LongMap<LongDouble> kMaps[] = {
    UNARY("negative", -x),
    UNARY("positive", x),
    UNARY("absolute", std::fabs(x)),
    UNARY("fabs", std::fabs(x)),
    UNARY("conjugate", x),
    QUIET("sign", 1, sign_of(x)),
    UNARY("square", x* x),
    UNARY("reciprocal", 1 / x),
    UNARY("sqrt", std::sqrt(x)),
    UNARY("cbrt", std::cbrt(x)),
    UNARY("exp", std::exp(x)),
    UNARY("exp2", std::exp2(x)),
    UNARY("expm1", std::expm1(x)),
    UNARY("log", std::log(x)),
    UNARY("log2", std::log2(x)),
    UNARY("log10", std::log10(x)),
    UNARY("log1p", std::log1p(x)),
    UNARY("sin", std::sin(x)),
    UNARY("cos", std::cos(x)),
    UNARY("tan", std::tan(x)),
    UNARY("arcsin", std::asin(x)),
    UNARY("arccos", std::acos(x)),
    UNARY("arctan", std::atan(x)),
    UNARY("sinh", std::sinh(x)),
    UNARY("cosh", std::cosh(x)),
    UNARY("tanh", std::tanh(x)),
    UNARY("arcsinh", std::asinh(x)),
    UNARY("arccosh", std::acosh(x)),
    UNARY("arctanh", std::atanh(x)),
    UNARY("deg2rad", x*(kPi / 180)),
    UNARY("radians", x*(kPi / 180)),
    UNARY("rad2deg", x*(180 / kPi)),
    UNARY("degrees", x*(180 / kPi)),
    UNARY("floor", std::floor(x)),
    UNARY("ceil", std::ceil(x)),
    UNARY("trunc", std::trunc(x)),
    UNARY("rint", std::nearbyint(x)),
    UNARY("spacing", spacing_of(x)),
    BINARY("add", x + y),
    BINARY("subtract", x - y),
    BINARY("multiply", x* y),
    BINARY("divide", x / y),
    BINARY("floor_divide", y == 0 ? x / y : divide_whole(x, y).quotient),
    BINARY("remainder", y == 0 ? std::fmod(x, y) : divide_whole(x, y).rest),
    BINARY("fmod", std::fmod(x, y)),
    BINARY("power", std::pow(x, y)),
    BINARY("float_power", std::pow(x, y)),
    BINARY("arctan2", std::atan2(x, y)),
    BINARY("hypot", std::hypot(x, y)),
    QUIET("copysign", 2, std::copysign(x, y)),
    BINARY("nextafter", std::nextafter(x, y)),
    BINARY("logaddexp", log_of_sum(x, y, 1, std::exp, kLn2)),
    BINARY("logaddexp2", log_of_sum(x, y, 1 / kLn2, std::exp2, 1)),
    BINARY("heaviside", step_of(x, y)),
    QUIET("maximum", 2, x >= y || std::isnan(x) ? x : y),
    QUIET("minimum", 2, x <= y || std::isnan(x) ? x : y),
    QUIET("fmax", 2, x >= y || std::isnan(y) ? x : y),
    QUIET("fmin", 2, x <= y || std::isnan(y) ? x : y),
};
#undef UNARY
#undef BINARY
#undef QUIET

#define TEST(name, expression)                                                           \
  {                                                                                      \
    name, [](LongDouble x, [[maybe_unused]] LongDouble y) -> bool { return expression; } \
  }
constexpr LongTest<LongDouble> kTests[] = {
    TEST("equal", x == y),
    TEST("not_equal", x != y),
    TEST("less", x < y),
    TEST("less_equal", x <= y),
    TEST("greater", x > y),
    TEST("greater_equal", x >= y),
    TEST("logical_and", x != 0 && y != 0),
    TEST("logical_or", x != 0 || y != 0),
    TEST("logical_xor", (x != 0) != (y != 0)),
    TEST("logical_not", x == 0),
    TEST("truth", x != 0),
    TEST("isnan", std::isnan(x)),
    TEST("isinf", std::isinf(x)),
    TEST("isfinite", std::isfinite(x)),
    TEST("signbit", std::signbit(x)),
};
#undef TEST

// --- complex -------------------------------------------------------------------------------------

bool less_equal(LongComplex a, LongComplex b) {
  return is_less(a, b) || (a.real() == b.real() && a.imag() <= b.imag());
}

// Smith's quotient.
LongComplex quotient(LongComplex a, LongComplex b) {
  const LongDouble width = std::fabs(b.real()), height = std::fabs(b.imag());
  if (width == 0 && height == 0) return {a.real() / width, a.imag() / width};
  if (width >= height) {
    const LongDouble ratio = b.imag() / b.real(), scale = 1 / (b.real() + b.imag() * ratio);
    return {(a.real() + a.imag() * ratio) * scale, (a.imag() - a.real() * ratio) * scale};
  }
  const LongDouble ratio = b.real() / b.imag(), scale = 1 / (b.imag() + b.real() * ratio);
  return {(a.real() * ratio + a.imag()) * scale, (a.imag() * ratio - a.real()) * scale};
}

LongComplex inverse(LongComplex z) {
  if (std::fabs(z.real()) >= std::fabs(z.imag())) {
    const LongDouble ratio = z.imag() / z.real(), scale = 1 / (z.real() + z.imag() * ratio);
    return {scale, -ratio * scale};
  }
  const LongDouble ratio = z.real() / z.imag(), scale = 1 / (z.imag() + z.real() * ratio);
  return {ratio * scale, -scale};
}

// Small whole powers by products.
LongComplex power(LongComplex a, LongComplex b) {
  if (b == LongComplex(0)) return 1;
  if (a == LongComplex(0)) {
    if (b.real() > 0 && b.imag() == 0) return 0;
    const LongDouble nan = std::numeric_limits<LongDouble>::quiet_NaN();
    std::feraiseexcept(FE_INVALID);
    return {nan, nan};
  }
  const int whole = std::fabs(b.real()) < 100 ? static_cast<int>(b.real()) : 0;
  if (b.imag() != 0 || static_cast<LongDouble>(whole) != b.real() || whole == 0)
    return std::pow(a, b);
  LongComplex result = 1, square = a;
  for (int left = std::abs(whole); left; left >>= 1) {
    if (left & 1) result = long_product(result, square);
    square = long_product(square, square);
  }
  return whole < 0 ? quotient(1, result) : result;
}

LongComplex sign_of(LongComplex z) {
  const LongDouble size = std::hypot(z.real(), z.imag());
  const LongDouble nan = std::numeric_limits<LongDouble>::quiet_NaN();
  if (std::isnan(size)) return {nan, nan};
  if (size == 0) return 0;
  if (std::isfinite(size)) return {z.real() / size, z.imag() / size};
  if (std::isinf(z.real()) == std::isinf(z.imag())) return {nan, nan};
  return std::isinf(z.real()) ? LongComplex(std::copysign(LongDouble(1), z.real()), 0)
                              : LongComplex(0, std::copysign(LongDouble(1), z.imag()));
}

// expm1 without the loss near 0; log1p by the formula that NumPy has.
LongComplex exp_less_one(LongComplex z) {
  const LongDouble half = std::sin(z.imag() / 2);
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half * half,
          std::exp(z.real()) * std::sin(z.imag())};
}
LongComplex log_of_one_more(LongComplex z) {
  return {std::log(std::hypot(z.real() + 1, z.imag())), std::atan2(z.imag(), z.real() + 1)};
}

#define UNARY(name, expression)                                                   \
  {                                                                               \
    name, 1, [](LongComplex x, LongComplex) -> LongComplex { return expression; } \
  }
#define BINARY(name, expression)                                                    \
  {                                                                                 \
    name, 2, [](LongComplex x, LongComplex y) -> LongComplex { return expression; } \
  }
#define QUIET(name, expression)                                                           \
  {                                                                                       \
    name, 2, [](LongComplex x, LongComplex y) -> LongComplex { return expression; }, true \
  }
constexpr LongMap<LongComplex> kComplexMaps[] = {
    UNARY("negative", -x),
    UNARY("positive", x),
    UNARY("conjugate", std::conj(x)),
    UNARY("sign", sign_of(x)),
    UNARY("square", long_product(x, x)),
    UNARY("reciprocal", inverse(x)),
    UNARY("sqrt", std::sqrt(x)),
    UNARY("exp", std::exp(x)),
    UNARY("exp2", std::exp(x* kLn2)),
    UNARY("expm1", exp_less_one(x)),
    UNARY("log", std::log(x)),
    UNARY("log2", std::log(x) / kLn2),
    UNARY("log10", std::log10(x)),
    UNARY("log1p", log_of_one_more(x)),
    UNARY("sin", std::sin(x)),
    UNARY("cos", std::cos(x)),
    UNARY("tan", std::tan(x)),
    UNARY("arcsin", std::asin(x)),
    UNARY("arccos", std::acos(x)),
    UNARY("arctan", std::atan(x)),
    UNARY("sinh", std::sinh(x)),
    UNARY("cosh", std::cosh(x)),
    UNARY("tanh", std::tanh(x)),
    UNARY("arcsinh", std::asinh(x)),
    UNARY("arccosh", std::acosh(x)),
    UNARY("arctanh", std::atanh(x)),
    UNARY("rint", LongComplex(std::nearbyint(x.real()), std::nearbyint(x.imag()))),
    BINARY("add", x + y),
    BINARY("subtract", x - y),
    BINARY("multiply", long_product(x, y)),
    BINARY("divide", quotient(x, y)),
    BINARY("power", power(x, y)),
    BINARY("float_power", power(x, y)),
    QUIET("maximum", less_equal(y, x) || is_nan(x) ? x : y),
    QUIET("minimum", less_equal(x, y) || is_nan(x) ? x : y),
    QUIET("fmax", less_equal(y, x) || is_nan(y) ? x : y),
    QUIET("fmin", less_equal(x, y) || is_nan(y) ? x : y),
};
#undef UNARY
#undef BINARY
#undef QUIET

#define TEST(name, expression)                                                             \
  {                                                                                        \
    name, [](LongComplex x, [[maybe_unused]] LongComplex y) -> bool { return expression; } \
  }
constexpr LongTest<LongComplex> kComplexTests[] = {
    TEST("equal", x == y),
    TEST("not_equal", x != y),
    TEST("less", is_less(x, y)),
    TEST("less_equal", less_equal(x, y)),
    TEST("greater", is_less(y, x)),
    TEST("greater_equal", less_equal(y, x)),
    TEST("logical_and", x != LongComplex(0) && y != LongComplex(0)),
    TEST("logical_or", x != LongComplex(0) || y != LongComplex(0)),
    TEST("logical_xor", (x != LongComplex(0)) != (y != LongComplex(0))),
    TEST("logical_not", x == LongComplex(0)),
    TEST("truth", x != LongComplex(0)),
    TEST("isnan", is_nan(x)),
    TEST("isinf", std::isinf(x.real()) || std::isinf(x.imag())),
    TEST("isfinite", std::isfinite(x.real()) && std::isfinite(x.imag())),
};
#undef TEST

}  // namespace

template <> std::span<const LongMap<LongDouble>> long_maps() { return kMaps; }
template <> std::span<const LongTest<LongDouble>> long_tests() { return kTests; }
template <> std::span<const LongMap<LongComplex>> long_maps() { return kComplexMaps; }
template <> std::span<const LongTest<LongComplex>> long_tests() { return kComplexTests; }

bool is_less(LongComplex a, LongComplex b) {
  if (a.real() < b.real()) return !std::isnan(a.imag()) && !std::isnan(b.imag());
  return a.real() == b.real() && a.imag() < b.imag();
}

LongDivision divide_whole(LongDouble a, LongDouble b) {
  LongDouble rest = std::fmod(a, b);
  if (b == 0) return {a / b, rest};
  LongDouble quotient = (a - rest) / b;
  if (rest == 0) {
    rest = std::copysign(LongDouble(0), b);
  } else if (std::isless(b, LongDouble(0)) != std::isless(rest, LongDouble(0))) {
    rest += b;
    quotient -= 1;
  }
  if (quotient == 0) return {std::copysign(LongDouble(0), a / b), rest};
  const LongDouble floored = std::floor(quotient);
  return {std::isgreater(quotient - floored, 0.5L) ? floored + 1 : floored, rest};
}

LongComplex long_product(LongComplex a, LongComplex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace gpy::lib
