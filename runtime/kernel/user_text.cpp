#include "runtime/kernel/user_text.h"

#include <string>

#include "runtime/kernel/complex_text.h"
#include "runtime/kernel/index_text.h"

namespace gpy::rt {

namespace {

constexpr std::string_view kTypeNames = R"GPY(
#ifndef __host__
#define __host__
#endif
typedef signed char int8;
typedef unsigned char uint8;
typedef short int16;
typedef unsigned short uint16;
typedef int int32;
typedef unsigned int uint32;
typedef long long int64;
typedef unsigned long long uint64;
typedef float float32;
typedef double float64;
)GPY";

constexpr std::string_view kNarrowFloats = R"GPY(
#ifdef __CUDACC_RTC__
__device__ __forceinline__ float _gpy_to_float(unsigned short h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
}
__device__ __forceinline__ unsigned short _gpy_to_half(float f) {
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
  return h;
}
#else
static inline float _gpy_to_float(unsigned short h) {
  const unsigned sign = (unsigned)(h & 0x8000u) << 16, magnitude = h & 0x7fffu;
  union { unsigned u; float f; } pun;
  if (magnitude >= 0x7c00u) {
    pun.u = sign | 0x7f800000u | (magnitude & 0x3ffu) << 13;
  } else if (magnitude >= 0x0400u) {
    pun.u = sign | ((magnitude + 0x1c000u) << 13);
  } else {
    pun.f = (float)magnitude * 5.9604644775390625e-8f;
    pun.u |= sign;
  }
  return pun.f;
}
static inline unsigned short _gpy_to_half(float f) {
  union { float f; unsigned u; } pun;
  pun.f = f;
  const unsigned sign = (pun.u >> 16) & 0x8000u;
  unsigned magnitude = pun.u & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return (unsigned short)(sign | 0x7e00u);
  if (magnitude >= 0x47800000u) return (unsigned short)(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    pun.u = magnitude;
    pun.f += 0.5f;  // aligns the last bit of a subnormal float16 with the float's own
    return (unsigned short)(sign | (pun.u - 0x3f000000u));
  }
  magnitude += 0xc8000fffu + ((magnitude >> 13) & 1u);
  return (unsigned short)(sign | (magnitude >> 13));
}
#endif

struct float16 {
  unsigned short bits;
  float16() = default;
  template <class T> __host__ __device__ float16(T x) : bits(_gpy_to_half((float)x)) {}
  __host__ __device__ operator float() const { return _gpy_to_float(bits); }
};

union _gpy_pun { unsigned u; float f; };
__host__ __device__ inline float _gpy_from_bfloat(unsigned short b) {
  _gpy_pun pun;
  pun.u = (unsigned)b << 16;
  return pun.f;
}
__host__ __device__ inline unsigned short _gpy_to_bfloat(float f) {
  _gpy_pun pun;
  pun.f = f;
  if ((pun.u & 0x7fffffffu) > 0x7f800000u) return (unsigned short)((pun.u >> 16 & 0x8000u) | 0x7fc0u);
  return (unsigned short)((pun.u + 0x7fffu + (pun.u >> 16 & 1u)) >> 16);
}
struct bfloat16 {
  unsigned short bits;
  bfloat16() = default;
  template <class T> __host__ __device__ bfloat16(T x) : bits(_gpy_to_bfloat((float)x)) {}
  __host__ __device__ operator float() const { return _gpy_from_bfloat(bits); }
};

#define _GPY_NARROW_OP(type, op) \
  template <class T> __host__ __device__ inline type& operator op##=(type& x, const T& y) { return x = type((float)x op (float)y); }
#define _GPY_NARROW_OPS(type) _GPY_NARROW_OP(type, +) _GPY_NARROW_OP(type, -) _GPY_NARROW_OP(type, *) _GPY_NARROW_OP(type, /)
_GPY_NARROW_OPS(float16) _GPY_NARROW_OPS(bfloat16)
#undef _GPY_NARROW_OPS
#undef _GPY_NARROW_OP
)GPY";

}  // namespace

std::string_view user_text() {
  static const std::string& text =
      *new std::string(std::string(kTypeNames) + std::string(kNarrowFloats) +
                       std::string(complex_text()) + std::string(index_text()));
  return text;
}

std::string_view narrow_floats_text() { return kNarrowFloats; }

}  // namespace gpy::rt
