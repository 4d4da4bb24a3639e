#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
#define GPY_MEMBER __device__ __forceinline__
#define GPY_FN __device__ __forceinline__
#define GPY_LONG_FN __device__ __forceinline__
#else
#define GPY_MEMBER inline __attribute__((always_inline))
#define GPY_FN static inline __attribute__((always_inline))
#define GPY_LONG_FN static inline
#endif

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

// Floating-point events that no instruction raises by itself: integer division by zero and
// overflow. The bits are x86's status flags; a device and users' kernels report nothing.
#if defined(__CUDACC_RTC__) || defined(__CUDACC__) || defined(GPY_NO_EVENTS)
GPY_FN void raise_invalid() {}
GPY_FN void raise_divide_by_zero() {}
GPY_FN void raise_overflow() {}
GPY_FN void raise_underflow() {}
#else
GPY_FN void raise_invalid() { __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x01); }
GPY_FN void raise_divide_by_zero() { __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x04); }
GPY_FN void raise_overflow() { __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x08); }
GPY_FN void raise_underflow() { __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x10); }
#endif

GPY_FN u32 float_bits(f32 x) {
  union {
    f32 f;
    u32 u;
  } pun;
  pun.f = x;
  return pun.u;
}
GPY_FN f32 float_from_bits(u32 bits) {
  union {
    u32 u;
    f32 f;
  } pun;
  pun.u = bits;
  return pun.f;
}
GPY_FN u64 double_bits(f64 x) {
  union {
    f64 f;
    u64 u;
  } pun;
  pun.f = x;
  return pun.u;
}
GPY_FN f64 double_from_bits(u64 bits) {
  union {
    u64 u;
    f64 f;
  } pun;
  pun.u = bits;
  return pun.f;
}

// float16's conversions.
#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
GPY_FN f32 half_to_float(u16 bits) {
  f32 result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(bits));
  return result;
}
GPY_FN u16 float_to_half(f32 value) {
  u16 result;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(value));
  return result;
}
GPY_FN u16 double_to_half(f64 value) {
  u16 result;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(result) : "d"(value));
  return result;
}
#else
GPY_FN f32 half_to_float(u16 bits) {
  u32 sign = (u32)(bits & 0x8000u) << 16;
  u32 magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u) return float_from_bits(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  if (magnitude >= 0x0400u) return float_from_bits(sign | ((magnitude + 0x1c000u) << 13));
  f32 small = (f32)magnitude * 5.9604644775390625e-8f;  // 2^-24
  return sign ? -small : small;
}
// Rounds significand * 2^(exponent - 63), top bit set, to nearest even.
GPY_FN u16 half_round(u32 sign, i32 exponent, u64 significand) {
  if (exponent < -25) {
    raise_underflow();
    return (u16)sign;
  }
  i32 drop = exponent < -14 ? 39 - exponent : 53;  // keep 11 bits, fewer below 2^-14
  u64 kept = drop == 64 ? 0 : significand >> drop;
  u64 rest = drop == 64 ? significand : significand << (64 - drop);
  u64 tie = 0x8000000000000000ull;
  kept += rest > tie || (rest == tie && (kept & 1));
  if (exponent < -14 && rest != 0) raise_underflow();
  u32 biased = exponent < -14 ? 0 : (u32)(exponent + 14);
  u32 result = (biased << 10) + (u32)kept;
  if (result >= 0x7c00u) {
    raise_overflow();
    result = 0x7c00u;
  }
  return (u16)(sign | result);
}
GPY_LONG_FN u16 double_to_half(f64 value) {
  u64 bits = double_bits(value);
  u32 sign = (u32)(bits >> 48) & 0x8000u;
  u64 magnitude = bits & 0x7fffffffffffffffull;
  if (magnitude > 0x7ff0000000000000ull) {
    u32 payload = (u32)(magnitude >> 42) & 0x3ffu;
    return (u16)(sign | 0x7c00u | payload | (payload == 0));
  }
  if (magnitude == 0x7ff0000000000000ull) return (u16)(sign | 0x7c00u);
  i32 exponent = (i32)(magnitude >> 52) - 1023;
  if (exponent == -1023) {
    if (magnitude != 0) raise_underflow();
    return (u16)sign;
  }
  if (exponent > 16) exponent = 16;
  return half_round(sign, exponent, (magnitude << 11) | 0x8000000000000000ull);
}
GPY_FN u16 float_to_half(f32 value) { return double_to_half((f64)value); }
#endif

// bfloat16's conversions: float32's upper half, and all else by way of float32.
GPY_FN f32 bfloat_to_float(u16 bits) { return float_from_bits(u32(bits) << 16); }
GPY_FN u16 float_to_bfloat(f32 value) {
  const u32 bits = float_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return u16((bits >> 16 & 0x8000u) | 0x7fc0u);
  return u16((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

struct HalfFormat {
  enum { infinity = 0x7c00 };
  GPY_MEMBER static f32 widen(u16 bits) { return half_to_float(bits); }
  GPY_MEMBER static u16 round(f32 x) { return float_to_half(x); }
  template <class T> GPY_MEMBER static u16 round(T x) { return double_to_half((f64)x); }
};
struct BFloatFormat {
  enum { infinity = 0x7f80 };
  GPY_MEMBER static f32 widen(u16 bits) { return bfloat_to_float(bits); }
  template <class T> GPY_MEMBER static u16 round(T x) { return float_to_bfloat((f32)x); }
};

// A float of 16 bits: storage and two conversions. Arithmetic is float32's, rounded once: exact for
// + - * / sqrt.
template <class Format> struct Narrow {
  u16 bits;
  Narrow() = default;
  template <class T> GPY_MEMBER explicit Narrow(T x) : bits(Format::round(x)) {}
  GPY_MEMBER operator f32() const { return Format::widen(bits); }
  GPY_MEMBER static Narrow from_bits(u16 bits) {
    Narrow result;
    result.bits = bits;
    return result;
  }
};
typedef Narrow<HalfFormat> Half;
typedef Narrow<BFloatFormat> BFloat;

template <class F> struct Complex {
  F re, im;
  Complex() = default;
  GPY_MEMBER explicit Complex(F real, F imag = F(0)) : re(real), im(imag) {}
};

// The properties of a type, and its related types.
template <class T> struct Traits;
template <class T, class U> struct IntegerTraits {
  typedef U Unsigned;  // at least 32 bits: narrower ones would be promoted to int
  typedef T Real;
  enum { is_bool = 0, is_integer = 1, is_signed = T(-1) < T(0), is_float = 0, is_complex = 0 };
};
template <class F, int floating, int complex> struct InexactTraits {
  typedef F Real;
  enum { is_bool = 0, is_integer = 0, is_signed = 1, is_float = floating, is_complex = complex };
};
template <> struct Traits<bool> {
  typedef bool Real;
  enum { is_bool = 1, is_integer = 0, is_signed = 0, is_float = 0, is_complex = 0 };
};
template <> struct Traits<i8> : IntegerTraits<i8, u32> {};
template <> struct Traits<u8> : IntegerTraits<u8, u32> {};
template <> struct Traits<i16> : IntegerTraits<i16, u32> {};
template <> struct Traits<u16> : IntegerTraits<u16, u32> {};
template <> struct Traits<i32> : IntegerTraits<i32, u32> {};
template <> struct Traits<u32> : IntegerTraits<u32, u32> {};
template <> struct Traits<i64> : IntegerTraits<i64, u64> {};
template <> struct Traits<u64> : IntegerTraits<u64, u64> {};
template <class Format> struct Traits<Narrow<Format>> : InexactTraits<Narrow<Format>, 1, 0> {};
template <> struct Traits<f32> : InexactTraits<f32, 1, 0> {};
template <> struct Traits<f64> : InexactTraits<f64, 1, 0> {};
template <> struct Traits<Complex<f32>> : InexactTraits<f32, 0, 1> {};
template <> struct Traits<Complex<f64>> : InexactTraits<f64, 0, 1> {};

template <class T, class U> struct Same {
  enum { value = 0 };
};
template <class T> struct Same<T, T> {
  enum { value = 1 };
};
template <class T> struct IsNarrow {
  enum { value = 0 };
};
template <class Format> struct IsNarrow<Narrow<Format>> {
  enum { value = 1 };
};

// The smallest value of a signed integer type.
template <class T> GPY_FN T lowest_int() { return T(u64(1) << (sizeof(T) * 8 - 1)); }
template <class F> GPY_FN F infinity() { return F(float_from_bits(0x7f800000u)); }
template <class F> GPY_FN F not_a_number() { return F(float_from_bits(0x7fc00000u)); }
