#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

// `min` and `max` take numbers of two types, and the one that is no NaN.
constexpr std::string_view kChoices = R"GPY(
template <class T> static inline T _gpy_min(T a, T b) { return b < a || a != a ? b : a; }
template <class T> static inline T _gpy_max(T a, T b) { return a < b || a != a ? b : a; }
template <class T, class U> static inline std::common_type_t<T, U> min(T a, U b) {
  typedef std::common_type_t<T, U> V;
  return _gpy_min<V>(a, b);
}
template <class T, class U> static inline std::common_type_t<T, U> max(T a, U b) {
  typedef std::common_type_t<T, U> V;
  return _gpy_max<V>(a, b);
}
static inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
static inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
static inline long long llmin(long long a, long long b) { return a < b ? a : b; }
static inline long long llmax(long long a, long long b) { return a < b ? b : a; }
static inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
static inline float _gpy_saturated(float x) { return x > 0 ? x < 1 ? x : 1.0f : 0.0f; }
)GPY";

// Each for double, for float, and for float by the name with an f. Names that newer C libraries
// have as well are defined for float only there.
constexpr std::string_view kElementary = R"GPY(
#define _GPY_FLOAT_1(name) static inline float name(float x) { return (float)_gpy_##name((double)x); }
#define _GPY_DOUBLE_1(name) static inline double name(double x) { return _gpy_##name(x); }
#define _GPY_SUFFIX_1(name) static inline float name##f(float x) { return (float)_gpy_##name((double)x); }
#define _GPY_MATH_1(name) _GPY_FLOAT_1(name) _GPY_DOUBLE_1(name) _GPY_SUFFIX_1(name)

constexpr double _gpy_pi = 3.14159265358979323846, _gpy_sqrt_half = 0.70710678118654752440;
static inline double _gpy_rcbrt(double x) { return 1 / std::cbrt(x); }
// x less the nearest multiple of 1/2, whose number modulo 4 tells the quadrant.
static inline double _gpy_reduced_half(double x, int* quadrant) {
  const double halves = std::nearbyint(2 * x);
  *quadrant = (int)std::fmod(halves, 4.0) & 3;
  return (x - 0.5 * halves) * _gpy_pi;
}
static inline double _gpy_of_quadrant(double x, int quadrant) {
  const double value = quadrant & 1 ? std::cos(x) : std::sin(x);
  return quadrant & 2 ? -value : value;
}
// From 2**53 on all numbers are even.
static inline bool _gpy_is_even(double x) { return std::fabs(x) >= 9007199254740992.0; }
static inline double _gpy_sinpi(double x) {
  if (x - x != 0) return __builtin_nan("");
  if (_gpy_is_even(x)) return std::copysign(0.0, x);
  int quadrant;
  const double rest = _gpy_reduced_half(x, &quadrant);
  return rest == 0 && !(quadrant & 1) ? std::copysign(0.0, x) : _gpy_of_quadrant(rest, quadrant);
}
static inline double _gpy_cospi(double x) {
  if (x - x != 0) return __builtin_nan("");
  if (_gpy_is_even(x)) return 1;
  int quadrant;
  const double rest = _gpy_reduced_half(x, &quadrant);
  return rest == 0 && (quadrant & 1) ? 0.0 : _gpy_of_quadrant(rest, quadrant + 1);
}
#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 41)
_GPY_DOUBLE_1(sinpi) _GPY_SUFFIX_1(sinpi) _GPY_DOUBLE_1(cospi) _GPY_SUFFIX_1(cospi)
#endif
_GPY_FLOAT_1(sinpi) _GPY_FLOAT_1(cospi)
static inline float rsqrt(float x) { return 1.0f / sqrtf(x); }
#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 42)
static inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
#endif
_GPY_MATH_1(rcbrt)
static inline float exp10(float x) { return ::exp10f(x); }
static inline void _gpy_sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
static inline void _gpy_sincos(double x, double* s, double* c) { *s = std::sin(x); *c = std::cos(x); }
static inline void _gpy_sincos(float x, float* s, float* c) { _gpy_sincosf(x, s, c); }
#define sincosf _gpy_sincosf
#define sincos _gpy_sincos
static inline void sincospi(double x, double* s, double* c) { *s = _gpy_sinpi(x); *c = _gpy_cospi(x); }
static inline void sincospi(float x, float* s, float* c) { *s = (float)_gpy_sinpi(x); *c = (float)_gpy_cospi(x); }
static inline void sincospif(float x, float* s, float* c) { sincospi(x, s, c); }
)GPY";

// The inverses: Winitzki's approximation (2008, relative error 2e-3), then steps of Halley's
// method.
constexpr std::string_view kErrorFunctions = R"GPY(
static inline double _gpy_slope(double y) { return 1.12837916709551257390 * std::exp(-y * y); }
static inline double _gpy_first_erfinv(double log_of_rest) {
  const double a = 0.147, t = 2 / (_gpy_pi * a) + log_of_rest / 2;
  return std::sqrt(std::sqrt(t * t - log_of_rest / a) - t);
}
static inline double _gpy_small_erfcinv(double q) {
  double y = _gpy_first_erfinv(std::log(q * (2 - q)));
  for (int i = 0; i < 4; ++i) {
    const double step = (q - std::erfc(y)) / _gpy_slope(y);
    if (step != step || step - step != 0) break;
    y -= step / (1 + y * step);
  }
  return y;
}
static inline double _gpy_erfcinv(double q) {
  if (!(q >= 0 && q <= 2)) return q != q ? q : __builtin_nan("");
  if (q == 0 || q == 2) return q == 0 ? __builtin_inf() : -__builtin_inf();
  if (q == 1) return 0;
  return q < 1 ? _gpy_small_erfcinv(q) : -_gpy_small_erfcinv(2 - q);
}
static inline double _gpy_erfinv(double x) {
  if (!(std::fabs(x) < 0.5)) return _gpy_erfcinv(1 - x);
  double y = std::copysign(_gpy_first_erfinv(std::log1p(-x * x)), x);
  if (std::fabs(x) < 1e-4) y = x * 0.88622692545275801365;
  for (int i = 0; i < 3; ++i) {
    const double step = (std::erf(y) - x) / _gpy_slope(y);
    y -= step / (1 + y * step);
  }
  return y;
}
static inline double _gpy_normcdf(double x) { return 0.5 * std::erfc(-x * _gpy_sqrt_half); }
static inline double _gpy_normcdfinv(double p) { return 0 - 1.41421356237309504880 * _gpy_erfcinv(2 * p); }
// exp(x * x) * erfc(x), where it is large by its asymptotic series.
static inline double _gpy_erfcx(double x) {
  if (x < 12) {
    const double square = x * x;
    return std::exp(square) * std::erfc(x) * (1 + std::fma(x, x, -square));
  }
  const double t = 1 / (2 * x * x);
  return (1 - t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t)))) / (x * 1.77245385090551602730);
}
_GPY_MATH_1(erfinv) _GPY_MATH_1(erfcinv) _GPY_MATH_1(normcdf) _GPY_MATH_1(normcdfinv) _GPY_MATH_1(erfcx)
)GPY";

constexpr std::string_view kBessel = R"GPY(
static inline float j0(float x) { return ::j0f(x); }
static inline float j1(float x) { return ::j1f(x); }
static inline float y0(float x) { return ::y0f(x); }
static inline float y1(float x) { return ::y1f(x); }
static inline float jn(int n, float x) { return ::jnf(n, x); }
static inline float yn(int n, float x) { return ::ynf(n, x); }
// The series of a modified Bessel function, whose terms are all positive.
static inline double _gpy_bessel_series(double x, int order) {
  const double quarter = x * x / 4;
  double term = order ? x / 2 : 1, sum = term;
  for (int k = 1; term > sum * 1e-17 && sum - sum == 0; ++k) sum += term *= quarter / ((double)k * (k + order));
  return sum;
}
// Its asymptotic expansion, for a large argument.
static inline double _gpy_bessel_asymptotic(double x, int order) {
  const double mu = 4.0 * order * order;
  double term = 1, sum = 1;
  for (int k = 1; k < 30; ++k) {
    const double next = -term * (mu - (2.0 * k - 1) * (2 * k - 1)) / (8 * x * k);
    if (std::fabs(next) >= std::fabs(term)) break;
    sum += term = next;
  }
  return std::exp(x / 2) * (sum / std::sqrt(2 * _gpy_pi * x)) * std::exp(x / 2);
}
static inline double _gpy_bessel_i(double x, int order) {
  if (x != x) return x;
  if (x > 800) return __builtin_inf();
  return x < 40 ? _gpy_bessel_series(x, order) : _gpy_bessel_asymptotic(x, order);
}
static inline double _gpy_cyl_bessel_i0(double x) { return _gpy_bessel_i(std::fabs(x), 0); }
static inline double _gpy_cyl_bessel_i1(double x) { return x < 0 ? -_gpy_bessel_i(-x, 1) : _gpy_bessel_i(x, 1); }
_GPY_MATH_1(cyl_bessel_i0) _GPY_MATH_1(cyl_bessel_i1)
#undef _GPY_MATH_1
#undef _GPY_SUFFIX_1
#undef _GPY_DOUBLE_1
#undef _GPY_FLOAT_1
)GPY";

constexpr std::string_view kNorms = R"GPY(
#define _GPY_NORMS(T, f) \
  static inline T norm3d##f(T a, T b, T c) { return (T)std::hypot(a, b, c); } \
  static inline T norm4d##f(T a, T b, T c, T d) { return (T)std::hypot(std::hypot(a, b), std::hypot(c, d)); } \
  static inline T rhypot##f(T a, T b) { return 1 / (T)std::hypot(a, b); } \
  static inline T rnorm3d##f(T a, T b, T c) { return 1 / norm3d##f(a, b, c); } \
  static inline T rnorm4d##f(T a, T b, T c, T d) { return 1 / norm4d##f(a, b, c, d); } \
  static inline T norm##f(int count, const T* x) { \
    T sum = 0; \
    for (int i = 0; i < count; ++i) sum = (T)std::hypot(sum, x[i]); \
    return sum; \
  } \
  static inline T rnorm##f(int count, const T* x) { return 1 / norm##f(count, x); } \
  static inline T fdivide##f(T x, T y) { return x / y; }
_GPY_NORMS(double, ) _GPY_NORMS(float, f)
#undef _GPY_NORMS
static inline float rhypot(float a, float b) { return rhypotf(a, b); }
)GPY";

}  // namespace

std::string_view math_text() {
  static const std::string& text =
      *new std::string(std::string(kChoices) + std::string(kElementary) +
                       std::string(kErrorFunctions) + std::string(kBessel) + std::string(kNorms));
  return text;
}

}  // namespace gpy::rt
