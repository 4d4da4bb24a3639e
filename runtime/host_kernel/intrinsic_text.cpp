#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

constexpr std::string_view kFast = R"GPY(
// Functions of these names are declared by the C library, for itself.
#define __expf(x) expf(x)
#define __exp10f(x) ::exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __tanhf(x) tanhf(x)
#define __powf(x, y) powf(x, y)
#define __sincosf(x, s, c) _gpy_sincosf(x, s, c)
static inline float __fdividef(float x, float y) { return x / y; }
static inline float __saturatef(float x) { return _gpy_saturated(x); }
static inline float __frsqrt_rn(float x) { return (float)(1 / std::sqrt((double)x)); }
)GPY";

constexpr std::string_view kBits = R"GPY(
template <class To, class From> static inline To _gpy_same_bits(From x) {
  static_assert(sizeof(To) == sizeof(From), "");
  To bits;
  memcpy((void*)&bits, &x, sizeof(To));
  return bits;
}
static inline int __float_as_int(float x) { return _gpy_same_bits<int>(x); }
static inline unsigned __float_as_uint(float x) { return _gpy_same_bits<unsigned>(x); }
static inline float __int_as_float(int x) { return _gpy_same_bits<float>(x); }
static inline float __uint_as_float(unsigned x) { return _gpy_same_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return _gpy_same_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return _gpy_same_bits<double>(x); }
static inline int __double2loint(double x) { return (int)__double_as_longlong(x); }
static inline int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
static inline double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
static inline unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned choice = selector >> 4 * i & 15;
    unsigned byte = (unsigned)(bytes >> 8 * (choice & 7)) & 255;
    if (choice & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}
static inline unsigned _gpy_funnel(unsigned low, unsigned high, unsigned by) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> by);
}
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) { return (by & 31) == 0 ? high : _gpy_funnel(low, high, 32 - (by & 31)); }
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) { return _gpy_funnel(low, high, by & 31); }
static inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) { return by == 0 ? high : by >= 32 ? low : _gpy_funnel(low, high, 32 - by); }
static inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) { return by >= 32 ? high : _gpy_funnel(low, high, by); }
)GPY";

constexpr std::string_view kIntegers = R"GPY(
static inline int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
static inline unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
static inline long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
static inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) { return (unsigned long long)((unsigned __int128)x * y >> 64); }
static inline int _gpy_low24(int x) { return (int)((unsigned)x << 8) >> 8; }
static inline int __mul24(int x, int y) { return (int)((unsigned)_gpy_low24(x) * (unsigned)_gpy_low24(y)); }
static inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
static inline unsigned __sad(int x, int y, unsigned z) { return (unsigned)(x < y ? (long long)y - x : (long long)x - y) + z; }
static inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x < y ? y - x : x - y) + z; }
static inline int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
static inline int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
static inline unsigned __uhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y) >> 1); }
static inline unsigned __urhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y + 1) >> 1); }
// Dot products of the parts of two words.
template <class T, class A, class B> static inline T _gpy_dot4(A a, B b, T c) {
  for (int i = 0; i < 4; ++i) {
    typedef std::conditional_t<std::is_signed<A>::value, signed char, unsigned char> Part;
    c += (T)((int)(Part)(a >> 8 * i) * (int)(Part)(b >> 8 * i));
  }
  return c;
}
static inline int __dp4a(int a, int b, int c) { return (int)_gpy_dot4<unsigned>(a, b, (unsigned)c); }
static inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) { return _gpy_dot4<unsigned>(a, b, c); }
static inline int __dp4a(char4 a, char4 b, int c) { return __dp4a(_gpy_same_bits<int>(a), _gpy_same_bits<int>(b), c); }
static inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return __dp4a(_gpy_same_bits<unsigned>(a), _gpy_same_bits<unsigned>(b), c); }
static inline int __dp2a_lo(int a, int b, int c) { return c + (short)a * (signed char)b + (a >> 16) * (signed char)(b >> 8); }
static inline int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
static inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) { return c + (a & 0xffffu) * (b & 255u) + (a >> 16) * (b >> 8 & 255u); }
static inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }
// Both halves, or all four bytes, of a word at once.
#define _GPY_PARTS(name, count, Part, value) \
  static inline unsigned name(unsigned x, unsigned y) { \
    unsigned result = 0; \
    for (int i = 0; i < count; ++i) { \
      const int bits = 32 / count, a = (Part)(x >> bits * i), b = (Part)(y >> bits * i); \
      result |= ((unsigned)(value) & (count == 4 ? 255u : 65535u)) << bits * i; \
    } \
    return result; \
  }
#define _GPY_SIMD(count, S, U) \
  _GPY_PARTS(__vadd##count, count, S, a + b) _GPY_PARTS(__vsub##count, count, S, a - b) \
  _GPY_PARTS(__vmins##count, count, S, a < b ? a : b) _GPY_PARTS(__vmaxs##count, count, S, a < b ? b : a) \
  _GPY_PARTS(__vminu##count, count, U, a < b ? a : b) _GPY_PARTS(__vmaxu##count, count, U, a < b ? b : a) \
  _GPY_PARTS(__vabsdiffu##count, count, U, a < b ? b - a : a - b) _GPY_PARTS(__vabsdiffs##count, count, S, a < b ? b - a : a - b) \
  _GPY_PARTS(__vavgu##count, count, U, (a + b + 1) >> 1) _GPY_PARTS(__vavgs##count, count, S, (a + b + 1) >> 1) \
  _GPY_PARTS(__vcmpeq##count, count, U, a == b ? -1 : 0) _GPY_PARTS(__vcmpne##count, count, U, a != b ? -1 : 0) \
  _GPY_PARTS(__vcmpgtu##count, count, U, a > b ? -1 : 0) _GPY_PARTS(__vcmpltu##count, count, U, a < b ? -1 : 0) \
  _GPY_PARTS(__vcmpgts##count, count, S, a > b ? -1 : 0) _GPY_PARTS(__vcmplts##count, count, S, a < b ? -1 : 0)
_GPY_SIMD(2, short, unsigned short) _GPY_SIMD(4, signed char, unsigned char)
#undef _GPY_SIMD
#undef _GPY_PARTS
)GPY";

// A number that does not fit becomes the nearest that does; a NaN becomes 0, and of 64 bits the
// highest bit alone.
constexpr std::string_view kConversions = R"GPY(
template <class To> static inline To _gpy_to_integer(double x) {
  constexpr bool is_long = sizeof(To) == 8, has_sign = std::is_signed<To>::value;
  constexpr To highest = has_sign ? (To)(~0ull >> (65 - 8 * sizeof(To))) : (To)~0ull;
  constexpr To lowest = has_sign ? (To)(-highest - 1) : 0;
  if (x != x) return is_long ? (To)(1ull << 63) : 0;
  const double limit = is_long ? has_sign ? 9223372036854775808.0 : 18446744073709551616.0 : (double)highest + 1;
  return x >= limit ? highest : x <= (double)lowest ? lowest : (To)x;
}
#define _GPY_TO_INTEGER(from, type, to, name) \
  static inline to __##from##2##name##_rn(type x) { return _gpy_to_integer<to>(std::nearbyint((double)x)); } \
  static inline to __##from##2##name##_rz(type x) { return _gpy_to_integer<to>(std::trunc((double)x)); } \
  static inline to __##from##2##name##_rd(type x) { return _gpy_to_integer<to>(std::floor((double)x)); } \
  static inline to __##from##2##name##_ru(type x) { return _gpy_to_integer<to>(std::ceil((double)x)); }
#define _GPY_TO_INTEGERS(from, type) \
  _GPY_TO_INTEGER(from, type, int, int) _GPY_TO_INTEGER(from, type, unsigned, uint) \
  _GPY_TO_INTEGER(from, type, long long, ll) _GPY_TO_INTEGER(from, type, unsigned long long, ull)
_GPY_TO_INTEGERS(float, float) _GPY_TO_INTEGERS(double, double)
#undef _GPY_TO_INTEGERS
#undef _GPY_TO_INTEGER
// The neighbours of a result that was rounded to the nearest, where the exact one lies beyond it:
// `above` is positive where the exact result is greater.
template <class T> static inline T _gpy_up(T x, double above) { return above > 0 ? std::nextafter(x, (T)__builtin_inf()) : x; }
template <class T> static inline T _gpy_down(T x, double above) { return above < 0 ? std::nextafter(x, -(T)__builtin_inf()) : x; }
template <class T> static inline T _gpy_to_zero(T x, double above) { return x > 0 ? _gpy_down(x, above) : _gpy_up(x, above); }
template <class T> static inline double _gpy_above(__int128 exact, T x) {
  const double limit = 1e37;
  if (x >= limit || x <= -limit) return 0;
  const __int128 rest = exact - (__int128)x;
  return rest > 0 ? 1 : rest < 0 ? -1 : 0;
}
#define _GPY_OF_INTEGER(to, from, type) \
  static inline to __##from##2##to##_rn(type x) { return (to)x; } \
  static inline to __##from##2##to##_rz(type x) { return _gpy_to_zero((to)x, _gpy_above(x, (to)x)); } \
  static inline to __##from##2##to##_rd(type x) { return _gpy_down((to)x, _gpy_above(x, (to)x)); } \
  static inline to __##from##2##to##_ru(type x) { return _gpy_up((to)x, _gpy_above(x, (to)x)); }
_GPY_OF_INTEGER(float, int, int) _GPY_OF_INTEGER(float, uint, unsigned)
_GPY_OF_INTEGER(float, ll, long long) _GPY_OF_INTEGER(float, ull, unsigned long long)
_GPY_OF_INTEGER(double, ll, long long) _GPY_OF_INTEGER(double, ull, unsigned long long)
#undef _GPY_OF_INTEGER
static inline double __int2double_rn(int x) { return x; }
static inline double __uint2double_rn(unsigned x) { return x; }
static inline float __double2float_rn(double x) { return (float)x; }
static inline float __double2float_rz(double x) { return _gpy_to_zero((float)x, x - (float)x); }
static inline float __double2float_rd(double x) { return _gpy_down((float)x, x - (float)x); }
static inline float __double2float_ru(double x) { return _gpy_up((float)x, x - (float)x); }
)GPY";

// The rest of each operation is computed exactly, or so that its sign is right.
constexpr std::string_view kRounded = R"GPY(
static inline double _gpy_sum_rest(double a, double b, double sum) {
  const double part = sum - a;
  return (a - (sum - part)) + (b - part);
}
template <class T> static inline double _gpy_rest_add(T a, T b, T r) {
  const double sum = (double)a + (double)b;
  const double above = sum - (double)r;
  return above != 0 ? above : _gpy_sum_rest(a, b, sum);
}
template <class T> static inline double _gpy_rest_fma(T a, T b, T c, T r) {
  const double product = (double)a * (double)b, low = std::fma((double)a, (double)b, -product);
  const double sum = product + (double)c, rest = _gpy_sum_rest(product, c, sum);
  return (sum - (double)r) + (rest + low);
}
template <class T> static inline double _gpy_rest_mul(T a, T b, T r) { return std::fma((double)a, (double)b, -(double)r); }
template <class T> static inline double _gpy_rest_div(T a, T b, T r) {
  const double rest = std::fma(-(double)r, (double)b, (double)a);
  return b < 0 ? -rest : rest;
}
template <class T> static inline double _gpy_rest_sqrt(T a, T r) { return std::fma(-(double)r, (double)r, (double)a); }
#define _GPY_ROUNDED(T, name, parameters, result, rest) \
  static inline T name##_rn parameters { return (T)(result); } \
  static inline T name##_rz parameters { const T r = (T)(result); return r - r == 0 ? _gpy_to_zero(r, rest) : r; } \
  static inline T name##_rd parameters { const T r = (T)(result); return r - r == 0 ? _gpy_down(r, rest) : r; } \
  static inline T name##_ru parameters { const T r = (T)(result); return r - r == 0 ? _gpy_up(r, rest) : r; }
#define _GPY_ARITHMETIC(T, p) \
  _GPY_ROUNDED(T, __##p##add, (T a, T b), a + b, _gpy_rest_add<T>(a, b, r)) \
  _GPY_ROUNDED(T, __##p##sub, (T a, T b), a - b, _gpy_rest_add<T>(a, -b, r)) \
  _GPY_ROUNDED(T, __##p##mul, (T a, T b), a * b, _gpy_rest_mul<T>(a, b, r)) \
  _GPY_ROUNDED(T, __##p##div, (T a, T b), a / b, _gpy_rest_div<T>(a, b, r)) \
  _GPY_ROUNDED(T, __##p##rcp, (T a), 1 / a, _gpy_rest_div<T>(1, a, r)) \
  _GPY_ROUNDED(T, __##p##sqrt, (T a), std::sqrt(a), _gpy_rest_sqrt<T>(a, r))
_GPY_ARITHMETIC(float, f) _GPY_ARITHMETIC(double, d)
_GPY_ROUNDED(float, __fmaf, (float a, float b, float c), std::fma(a, b, c), _gpy_rest_fma<float>(a, b, c, r))
_GPY_ROUNDED(double, __fma, (double a, double b, double c), std::fma(a, b, c), _gpy_rest_fma<double>(a, b, c, r))
#undef _GPY_ARITHMETIC
#undef _GPY_ROUNDED
)GPY";

constexpr std::string_view kControl = R"GPY(
static inline long long clock64() { return (long long)__builtin_ia32_rdtsc(); }
static inline clock_t _gpy_clock() { return (clock_t)clock64(); }
#define clock() _gpy_clock()
static inline unsigned long long __globaltimer() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (unsigned long long)now.tv_sec * 1000000000ull + (unsigned long long)now.tv_nsec;
}
#define __trap() __builtin_trap()
#define __brkpt() ((void)0)
#define __prof_trigger(n) ((void)0)
#if !defined(__clang__)
#define __builtin_assume(condition) ((void)0)
#endif
#define __assume(condition) ((void)0)
)GPY";

}  // namespace

std::string_view intrinsic_text() {
  static const std::string& text =
      *new std::string(std::string(kFast) + std::string(kBits) + std::string(kIntegers) +
                       std::string(kConversions) + std::string(kRounded) + std::string(kControl));
  return text;
}

}  // namespace gpy::rt
