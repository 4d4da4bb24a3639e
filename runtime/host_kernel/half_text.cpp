#include "runtime/host_kernel/half_text.h"

#include <algorithm>
#include <string_view>

#include "runtime/kernel/user_text.h"

namespace gpy::rt {

namespace {

constexpr std::string_view kNames = R"GPY(
struct __half : float16 { using float16::float16; __half() = default; };
struct __nv_bfloat16 : bfloat16 { using bfloat16::bfloat16; __nv_bfloat16() = default; };
typedef __half half;
typedef __nv_bfloat16 nv_bfloat16;
struct __half2 { __half x, y; };
struct __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef __half2 half2;
typedef __nv_bfloat162 nv_bfloat162;

#define _GPY_OP(type, op) static inline type operator op(type a, type b) { return type((float)a op (float)b); }
#define _GPY_BINARY(type, name, value) \
  static inline type name(type a, type b) { return type(value); } \
  static inline type##2 name##2(type##2 a, type##2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
#define _GPY_UNARY(type, name, value) static inline type name(type a) { const float x = a; return type(value); }
#define _GPY_TEST(type, name, value) static inline bool name(type a, type b) { return value; }
#define _GPY_NARROW(type) \
  _GPY_OP(type, +) _GPY_OP(type, -) _GPY_OP(type, *) _GPY_OP(type, /) \
  static inline type operator-(type a) { return type(-(float)a); } \
  _GPY_BINARY(type, __hadd, (float)a + (float)b) _GPY_BINARY(type, __hsub, (float)a - (float)b) \
  _GPY_BINARY(type, __hmul, (float)a * (float)b) _GPY_BINARY(type, __hmax, fmaxf(a, b)) \
  _GPY_BINARY(type, __hmin, fminf(a, b)) \
  static inline type __hdiv(type a, type b) { return a / b; } \
  static inline type##2 __h2div(type##2 a, type##2 b) { return {a.x / b.x, a.y / b.y}; } \
  static inline type __hfma(type a, type b, type c) { return type(fmaf(a, b, c)); } \
  static inline type##2 __hfma2(type##2 a, type##2 b, type##2 c) { \
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; \
  } \
  _GPY_TEST(type, __heq, (float)a == (float)b) _GPY_TEST(type, __hne, (float)a != (float)b) \
  _GPY_TEST(type, __hlt, (float)a < (float)b) _GPY_TEST(type, __hle, (float)a <= (float)b) \
  _GPY_TEST(type, __hgt, (float)a > (float)b) _GPY_TEST(type, __hge, (float)a >= (float)b) \
  static inline bool __hisnan(type a) { return (float)a != (float)a; } \
  static inline int __hisinf(type a) { return __builtin_isinf_sign((float)a); } \
  _GPY_UNARY(type, __hneg, -x) _GPY_UNARY(type, __habs, fabsf(x)) \
  _GPY_UNARY(type, hsqrt, sqrtf(x)) _GPY_UNARY(type, hrsqrt, 1 / sqrtf(x)) _GPY_UNARY(type, hrcp, 1 / x) \
  _GPY_UNARY(type, hexp, expf(x)) _GPY_UNARY(type, hexp2, exp2f(x)) _GPY_UNARY(type, hlog, logf(x)) \
  _GPY_UNARY(type, hlog2, log2f(x)) _GPY_UNARY(type, hlog10, log10f(x)) _GPY_UNARY(type, hsin, sinf(x)) \
  _GPY_UNARY(type, hcos, cosf(x)) _GPY_UNARY(type, hfloor, floorf(x)) _GPY_UNARY(type, hceil, ceilf(x)) \
  _GPY_UNARY(type, htrunc, truncf(x)) _GPY_UNARY(type, hrint, rintf(x)) \
  static inline type __low2half(type##2 a) { return a.x; } \
  static inline type __high2half(type##2 a) { return a.y; } \
  static inline float __low2float(type##2 a) { return a.x; } \
  static inline float __high2float(type##2 a) { return a.y; }
_GPY_NARROW(__half)
_GPY_NARROW(__nv_bfloat16)
#undef _GPY_NARROW
#undef _GPY_TEST
#undef _GPY_UNARY
#undef _GPY_BINARY
#undef _GPY_OP

#define _GPY_CONVERT(type, word, words) \
  static inline type __float2##word(float x) { return type(x); } \
  static inline type __float2##word##_rn(float x) { return type(x); } \
  static inline type __double2##word(double x) { return type((float)x); } \
  static inline type __int2##word##_rn(int x) { return type((float)x); } \
  static inline float __##word##2float(type x) { return x; } \
  static inline int __##word##2int_rz(type x) { return (int)(float)x; } \
  static inline int __##word##2int_rn(type x) { return (int)rintf(x); } \
  static inline unsigned short __##word##_as_ushort(type x) { return x.bits; } \
  static inline type __ushort_as_##word(unsigned short bits) { type x; x.bits = bits; return x; } \
  static inline type##2 __float2##word##2_rn(float x) { return {type(x), type(x)}; } \
  static inline type##2 __floats2##word##2_rn(float x, float y) { return {type(x), type(y)}; } \
  static inline type##2 __halves2##word##2(type x, type y) { return {x, y}; } \
  static inline float2 __##word##22float2(type##2 x) { return {x.x, x.y}; }
_GPY_CONVERT(__half, half, halves)
_GPY_CONVERT(__nv_bfloat16, bfloat16, bfloat16s)
#undef _GPY_CONVERT
)GPY";

bool includes_halves(std::string_view line) {
  const size_t mark = line.find_first_not_of(" \t");
  if (mark == std::string_view::npos || line[mark] != '#') return false;
  if (line.find("include") == std::string_view::npos) return false;
  return line.find("cuda_fp16.h") != std::string_view::npos ||
         line.find("cuda_bf16.h") != std::string_view::npos;
}

}  // namespace

std::string half_text() { return std::string(narrow_floats_text()) + std::string(kNames); }

std::string without_half_headers(const std::string& source) {
  std::string text;
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find('\n', at), source.size() - 1) + 1;
    const std::string_view line = std::string_view(source).substr(at, end - at);
    text += includes_halves(line) ? std::string_view("\n") : line;
    at = end;
  }
  return text;
}

}  // namespace gpy::rt
