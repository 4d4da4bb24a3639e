#include "runtime/ops/loops/tile.h"

namespace gpy::rt {
#define QUIET_ROW ROW
#define ROW GPY_UFUNC_OP
#include "runtime/ops/ufuncs/division.def"
#undef ROW

#if defined(__AVX2__)
namespace {

// Integers have no vector division; numbers below 2^51 have one as float64. The whole number next
// to the quotient leaves an exact rest, whose sign tells whether it is the one wanted.
template <class Op> struct Corrected;
template <> struct Corrected<op_floor_divide> {
  GPY_FN f64 call(f64, f64 y, f64 quotient, f64 rest) {
    return quotient - f64((rest < 0) & (y > 0)) - f64((rest > 0) & (y < 0));
  }
};
template <> struct Corrected<op_remainder> {
  GPY_FN f64 call(f64, f64 y, f64, f64 rest) {
    return rest + (f64((rest < 0) & (y > 0)) + f64((rest > 0) & (y < 0))) * y;
  }
};
template <> struct Corrected<op_fmod> {
  GPY_FN f64 call(f64 x, f64 y, f64, f64 rest) {
    return rest + (f64((rest < 0) & (x > 0)) - f64((rest > 0) & (x < 0))) * magnitude(y);
  }
};

// 1.5 * 2^52: added to a small whole number, it leaves the number in the low bits.
constexpr f64 kShift = 6755399441055744.0;
constexpr u64 kShiftBits = 0x4338000000000000ull;

GPY_FN f64 whole_to_float(u64 x) { return double_from_bits(x + kShiftBits) - kShift; }
GPY_FN u64 float_to_whole(f64 x) { return double_bits(x + kShift) - kShiftBits; }
// Not rint or floor: loops with a call of those are no vectors where floating-point traps count.
GPY_FN f64 nearest_whole(f64 x) { return (x + kShift) - kShift; }

// Non-zero where the division needs care: by 0 or -1, or of large numbers.
template <class T> GPY_FN u64 needs_care(T x, T y) {
  const u64 wide_x = static_cast<u64>(x), wide_y = static_cast<u64>(y);
  u64 care = wide_y + Traits<T>::is_signed <= u64(Traits<T>::is_signed);
  if constexpr (sizeof(T) == 8) {
    constexpr u64 kHalf = u64{1} << 51;
    const u64 offset = Traits<T>::is_signed ? kHalf : 0;
    care |= u64((wide_x + offset) | (wide_y + offset)) >> (Traits<T>::is_signed ? 52 : 51);
  }
  return care;
}

// Division by one number is a multiplication: its quotient is off by one at most, and the
// remainder, which is exact, tells. With the signs of both turned, the divisor is positive.
template <class Op> struct ByConstant { static constexpr bool exists = false; };
template <> struct ByConstant<op_floor_divide> {
  static constexpr bool exists = true;
  GPY_FN f64 call(f64 quotient, f64 rest, f64 y, f64) {
    return quotient - f64(rest < 0) + f64(rest >= y);
  }
};
template <> struct ByConstant<op_remainder> {
  static constexpr bool exists = true;
  GPY_FN f64 call(f64, f64 rest, f64 y, f64 sign) {
    return sign * (rest + f64(rest < 0) * y - f64(rest >= y) * y);
  }
};

template <class Op, class T> struct IntegerDivision {
  static constexpr int64_t kBlock = 256;

  static void by_constant(const T* x, T divisor, T* result, int64_t count) {
    const f64 given = whole_to_float(static_cast<u64>(divisor));
    const f64 sign = given < 0 ? -1 : 1, y = given * sign, inverse = 1 / y;
    GPY_INDEPENDENT
    for (int64_t i = 0; i < count; ++i) {
      const f64 a = whole_to_float(static_cast<u64>(x[i])) * sign;
      const f64 quotient = nearest_whole(a * inverse);
      const f64 rest = a - quotient * y;
      result[i] = static_cast<T>(float_to_whole(ByConstant<Op>::call(quotient, rest, y, sign)));
    }
  }

  static void run(const void* const* in, void* out, int64_t count) {
    const T* x = static_cast<const T*>(in[0]);
    const T* y = static_cast<const T*>(in[1]);
    T* result = static_cast<T*>(out);
    for (int64_t at = 0; at < count; at += kBlock) {
      const int64_t n = count - at < kBlock ? count - at : kBlock;
      u64 care = 0, differs = 0;
      for (int64_t i = 0; i < n; ++i) {
        care |= needs_care(x[at + i], y[at + i]);
        differs |= u64(y[at + i] ^ y[at]);
      }
      if (care) {
        const void* const from[] = {x + at, y + at};
        Map<Op, T, T, T, T, T>::run(from, result + at, n);
        continue;
      }
      if constexpr (ByConstant<Op>::exists) {
        if (!differs) {
          by_constant(x + at, y[at], result + at, n);
          continue;
        }
      }
      GPY_INDEPENDENT
      for (int64_t i = at; i < at + n; ++i) {
        const f64 a = whole_to_float(static_cast<u64>(x[i])),
                  b = whole_to_float(static_cast<u64>(y[i]));
        const f64 quotient = nearest_whole(a / b);
        const f64 rest = a - quotient * b;
        result[i] = static_cast<T>(float_to_whole(Corrected<Op>::call(a, b, quotient, rest)));
      }
    }
  }
};

// clang-format off
#define GPY_EXACT(name, T)                          \
  template <> struct Special<op_##name, T> {        \
    static constexpr bool exists = true;            \
    using Loop = IntegerDivision<op_##name, T>;     \
  };
#define GPY_EXACT_DIVISION(name)                                                        \
  GPY_EXACT(name, i8) GPY_EXACT(name, u8) GPY_EXACT(name, i16) GPY_EXACT(name, u16)     \
  GPY_EXACT(name, i32) GPY_EXACT(name, u32) GPY_EXACT(name, i64) GPY_EXACT(name, u64)
GPY_EXACT_DIVISION(floor_divide)
GPY_EXACT_DIVISION(remainder)
GPY_EXACT_DIVISION(fmod)
// clang-format on

}  // namespace
#endif

namespace GPY_ISA {
#define ROW GPY_UFUNC_TABLE
#include "runtime/ops/ufuncs/division.def"
}  // namespace GPY_ISA
}  // namespace gpy::rt
