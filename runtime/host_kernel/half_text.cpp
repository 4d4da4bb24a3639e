#include "runtime/host_kernel/half_text.h"

#include <string_view>

#include "runtime/kernel/user_text.h"

namespace gpy::rt {

namespace {

constexpr std::string_view kNames = R"GPY(
struct __half : float16 { using float16::float16; __half() = default; };
struct __nv_bfloat16 : bfloat16 { using bfloat16::bfloat16; __nv_bfloat16() = default; };
typedef __half half;
typedef __nv_bfloat16 nv_bfloat16;
struct alignas(4) __half2 { __half x, y; };
struct alignas(4) __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef __half2 half2;
typedef __nv_bfloat162 nv_bfloat162;

#define _GPY_OP(type, op) static inline type operator op(type a, type b) { return type((float)a op (float)b); }
#define _GPY_OP2(type, op) \
  static inline type##2 operator op(type##2 a, type##2 b) { return {a.x op b.x, a.y op b.y}; } \
  static inline type##2& operator op##=(type##2& a, type##2 b) { return a = a op b; }
#define _GPY_BINARY(type, name, value) \
  static inline type name(type a, type b) { return type(value); } \
  static inline type##2 name##2(type##2 a, type##2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
#define _GPY_UNARY_NAMED(type, name, both, value) \
  static inline type name(type a) { const float x = a; return type(value); } \
  static inline type##2 both(type##2 a) { return {name(a.x), name(a.y)}; }
#define _GPY_UNARY(type, name, value) _GPY_UNARY_NAMED(type, h##name, h2##name, value)
// Of a pair a test gives ones and zeros, or whether it holds for both; the unordered form holds for
// NaNs too.
#define _GPY_TEST(type, word, op) \
  static inline bool __h##word(type a, type b) { return (float)a op (float)b; } \
  static inline bool __h##word##u(type a, type b) { return (float)a != (float)a || (float)b != (float)b || (float)a op (float)b; } \
  static inline type##2 __h##word##2(type##2 a, type##2 b) { return {type((float)__h##word(a.x, b.x)), type((float)__h##word(a.y, b.y))}; } \
  static inline bool __hb##word##2(type##2 a, type##2 b) { return __h##word(a.x, b.x) && __h##word(a.y, b.y); }
#define _GPY_NARROW(type) \
  _GPY_OP(type, +) _GPY_OP(type, -) _GPY_OP(type, *) _GPY_OP(type, /) \
  static inline type operator-(type a) { return type(-(float)a); } \
  _GPY_OP2(type, +) _GPY_OP2(type, -) _GPY_OP2(type, *) _GPY_OP2(type, /) \
  static inline type##2 operator-(type##2 a) { return {-a.x, -a.y}; } \
  static inline bool operator==(type##2 a, type##2 b) { return (float)a.x == (float)b.x && (float)a.y == (float)b.y; } \
  static inline bool operator!=(type##2 a, type##2 b) { return !(a == b); } \
  _GPY_BINARY(type, __hadd, (float)a + (float)b) _GPY_BINARY(type, __hsub, (float)a - (float)b) \
  _GPY_BINARY(type, __hmul, (float)a * (float)b) _GPY_BINARY(type, __hmax, fmaxf(a, b)) \
  _GPY_BINARY(type, __hmin, fminf(a, b)) \
  static inline type __hdiv(type a, type b) { return a / b; } \
  static inline type##2 __h2div(type##2 a, type##2 b) { return {a.x / b.x, a.y / b.y}; } \
  static inline type __hfma(type a, type b, type c) { return type(fmaf(a, b, c)); } \
  static inline type##2 __hfma2(type##2 a, type##2 b, type##2 c) { \
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; \
  } \
  static inline type __hfma_relu(type a, type b, type c) { return type(fmaxf(fmaf(a, b, c), 0)); } \
  static inline type __hadd_sat(type a, type b) { return type(_gpy_saturated((float)a + (float)b)); } \
  static inline type __hmul_sat(type a, type b) { return type(_gpy_saturated((float)a * (float)b)); } \
  _GPY_TEST(type, eq, ==) _GPY_TEST(type, ne, !=) _GPY_TEST(type, lt, <) \
  _GPY_TEST(type, le, <=) _GPY_TEST(type, gt, >) _GPY_TEST(type, ge, >=) \
  static inline bool __hisnan(type a) { return (float)a != (float)a; } \
  static inline int __hisinf(type a) { return __builtin_isinf_sign((float)a); } \
  _GPY_UNARY_NAMED(type, __hneg, __hneg2, -x) _GPY_UNARY_NAMED(type, __habs, __habs2, fabsf(x)) \
  _GPY_UNARY(type, sqrt, sqrtf(x)) _GPY_UNARY(type, rsqrt, 1 / sqrtf(x)) _GPY_UNARY(type, rcp, 1 / x) \
  _GPY_UNARY(type, exp, expf(x)) _GPY_UNARY(type, exp2, exp2f(x)) _GPY_UNARY(type, exp10, ::exp10f(x)) \
  _GPY_UNARY(type, log, logf(x)) _GPY_UNARY(type, log2, log2f(x)) _GPY_UNARY(type, log10, log10f(x)) \
  _GPY_UNARY(type, sin, sinf(x)) _GPY_UNARY(type, cos, cosf(x)) _GPY_UNARY(type, tanh, tanhf(x)) \
  _GPY_UNARY(type, floor, floorf(x)) _GPY_UNARY(type, ceil, ceilf(x)) \
  _GPY_UNARY(type, trunc, truncf(x)) _GPY_UNARY(type, rint, rintf(x)) \
  static inline type __low2half(type##2 a) { return a.x; } \
  static inline type __high2half(type##2 a) { return a.y; } \
  static inline type##2 __low2half2(type##2 a) { return {a.x, a.x}; } \
  static inline type##2 __high2half2(type##2 a) { return {a.y, a.y}; } \
  static inline type##2 __lows2half2(type##2 a, type##2 b) { return {a.x, b.x}; } \
  static inline type##2 __highs2half2(type##2 a, type##2 b) { return {a.y, b.y}; } \
  static inline type##2 __lowhigh2highlow(type##2 a) { return {a.y, a.x}; } \
  static inline float __low2float(type##2 a) { return a.x; } \
  static inline float __high2float(type##2 a) { return a.y; }
_GPY_NARROW(__half)
_GPY_NARROW(__nv_bfloat16)
#undef _GPY_NARROW
#undef _GPY_TEST
#undef _GPY_UNARY
#undef _GPY_UNARY_NAMED
#undef _GPY_OP2
#undef _GPY_BINARY
#undef _GPY_OP

// The next lower number, by its bits.
template <class T> static inline T _gpy_below(T x) {
  if ((x.bits & 0x7fffu) == 0) x.bits = 0x8001u;
  else x.bits += x.bits & 0x8000u ? 1 : -1;
  return x;
}
template <class T> static inline T _gpy_toward_zero(T rounded, float x) {
  if (x > 0) return (float)rounded > x ? _gpy_below(rounded) : rounded;
  return (float)rounded < x ? -_gpy_below(-rounded) : rounded;
}
#define _GPY_CONVERT_INTEGER(type, word, number, name) \
  static inline type __##name##2##word##_rn(number x) { return type((float)x); } \
  static inline number __##word##2##name##_rz(type x) { return _gpy_to_integer<number>(std::trunc((double)(float)x)); } \
  static inline number __##word##2##name##_rn(type x) { return _gpy_to_integer<number>(std::nearbyint((double)(float)x)); } \
  static inline number __##word##2##name##_rd(type x) { return _gpy_to_integer<number>(std::floor((double)(float)x)); } \
  static inline number __##word##2##name##_ru(type x) { return _gpy_to_integer<number>(std::ceil((double)(float)x)); }
#define _GPY_CONVERT(type, word, words) \
  static inline type __float2##word(float x) { return type(x); } \
  static inline type __float2##word##_rn(float x) { return type(x); } \
  static inline type __double2##word(double x) { return type((float)x); } \
  static inline type __float2##word##_rz(float x) { return _gpy_toward_zero(type(x), x); } \
  static inline type __float2##word##_rd(float x) { return (float)type(x) > x ? _gpy_below(type(x)) : type(x); } \
  static inline type __float2##word##_ru(float x) { return (float)type(x) < x ? -_gpy_below(-type(x)) : type(x); } \
  static inline float __##word##2float(type x) { return x; } \
  _GPY_CONVERT_INTEGER(type, word, short, short) _GPY_CONVERT_INTEGER(type, word, unsigned short, ushort) \
  _GPY_CONVERT_INTEGER(type, word, int, int) _GPY_CONVERT_INTEGER(type, word, unsigned, uint) \
  _GPY_CONVERT_INTEGER(type, word, long long, ll) _GPY_CONVERT_INTEGER(type, word, unsigned long long, ull) \
  static inline short __##word##_as_short(type x) { return (short)x.bits; } \
  static inline type __short_as_##word(short bits) { type x; x.bits = (unsigned short)bits; return x; } \
  static inline unsigned short __##word##_as_ushort(type x) { return x.bits; } \
  static inline type __ushort_as_##word(unsigned short bits) { type x; x.bits = bits; return x; } \
  static inline type##2 __float2##word##2_rn(float x) { return {type(x), type(x)}; } \
  static inline type##2 __floats2##word##2_rn(float x, float y) { return {type(x), type(y)}; } \
  static inline type##2 __halves2##word##2(type x, type y) { return {x, y}; } \
  static inline float2 __##word##22float2(type##2 x) { return {x.x, x.y}; }
_GPY_CONVERT(__half, half, halves)
_GPY_CONVERT(__nv_bfloat16, bfloat16, bfloat16s)
#undef _GPY_CONVERT
#undef _GPY_CONVERT_INTEGER
static inline half2 make_half2(half x, half y) { return {x, y}; }
static inline nv_bfloat162 make_bfloat162(nv_bfloat16 x, nv_bfloat16 y) { return {x, y}; }
static inline half2 __float22half2_rn(float2 x) { return {half(x.x), half(x.y)}; }
static inline nv_bfloat162 __float22bfloat162_rn(float2 x) { return {nv_bfloat16(x.x), nv_bfloat16(x.y)}; }
static inline half2 __half2half2(half x) { return {x, x}; }
static inline nv_bfloat162 __bfloat162bfloat162(nv_bfloat16 x) { return {x, x}; }
)GPY";

}  // namespace

std::string half_text() { return std::string(narrow_floats_text()) + std::string(kNames); }

}  // namespace gpy::rt
