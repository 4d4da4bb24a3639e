// Operations whose bits are the same on every backend.

// The type T's operations are computed in: narrow floats in float32, everything else in itself.
template <class T> struct Compute { typedef T Type; };
template <class F> struct Compute<Narrow<F>> { typedef f32 Type; };

GPY_FN bool is_nan(f32 x) { return x != x; }
GPY_FN bool is_nan(f64 x) { return x != x; }
template <class T> GPY_FN bool is_nan(T) { return false; }
template <class F> GPY_FN bool is_nan(Narrow<F> x) { return (x.bits & 0x7fffu) > F::infinity; }
template <class F> GPY_FN bool is_nan(Complex<F> x) { return is_nan(x.re) | is_nan(x.im); }

GPY_FN bool is_inf(f32 x) { return (float_bits(x) & 0x7fffffffu) == 0x7f800000u; }
GPY_FN bool is_inf(f64 x) {
  return (double_bits(x) & 0x7fffffffffffffffull) == 0x7ff0000000000000ull;
}
template <class T> GPY_FN bool is_inf(T) { return false; }
template <class F> GPY_FN bool is_inf(Narrow<F> x) { return (x.bits & 0x7fffu) == F::infinity; }
template <class F> GPY_FN bool is_inf(Complex<F> x) { return is_inf(x.re) | is_inf(x.im); }

GPY_FN bool is_finite(f32 x) { return (float_bits(x) & 0x7fffffffu) < 0x7f800000u; }
GPY_FN bool is_finite(f64 x) {
  return (double_bits(x) & 0x7fffffffffffffffull) < 0x7ff0000000000000ull;
}
template <class T> GPY_FN bool is_finite(T) { return true; }
template <class F> GPY_FN bool is_finite(Narrow<F> x) { return (x.bits & 0x7fffu) < F::infinity; }
template <class F> GPY_FN bool is_finite(Complex<F> x) { return is_finite(x.re) & is_finite(x.im); }

GPY_FN bool sign_bit(f32 x) { return float_bits(x) >> 31; }
GPY_FN bool sign_bit(f64 x) { return double_bits(x) >> 63; }
template <class F> GPY_FN bool sign_bit(Narrow<F> x) { return x.bits >> 15; }
GPY_FN f32 magnitude(f32 x) { return float_from_bits(float_bits(x) & 0x7fffffffu); }
GPY_FN f64 magnitude(f64 x) { return double_from_bits(double_bits(x) & 0x7fffffffffffffffull); }
GPY_FN f32 copysign(f32 x, f32 y) {
  return float_from_bits((float_bits(x) & 0x7fffffffu) | (float_bits(y) & 0x80000000u));
}
GPY_FN f64 copysign(f64 x, f64 y) {
  return double_from_bits((double_bits(x) & 0x7fffffffffffffffull) |
                          (double_bits(y) & 0x8000000000000000ull));
}
template <class F> GPY_FN Narrow<F> copysign(Narrow<F> x, Narrow<F> y) {
  return Narrow<F>::from_bits((x.bits & 0x7fffu) | (y.bits & 0x8000u));
}

template <class T> GPY_FN bool truth(T x) { return x != T(0); }
GPY_FN bool truth(bool x) { return x; }
template <class F> GPY_FN bool truth(Narrow<F> x) { return (x.bits & 0x7fffu) != 0; }
template <class F> GPY_FN bool truth(Complex<F> x) { return (x.re != F(0)) | (x.im != F(0)); }

// --- casts: C's, with x86's results where C leaves them open ---

// Numbers that do not fit, and NaN, give x86's "indefinite" value: the least int.
#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
// The conversion instructions end at the bounds instead; at the lower one that is the same.
template <class T> GPY_FN i32 truncated_32(T x) {
  return x < T(2147483648.0) ? i32(x) : i32(0x80000000u);
}
template <class T> GPY_FN i64 truncated_64(T x) {
  return x < T(9223372036854775808.0) ? i64(x) : i64(0x8000000000000000ull);
}
#else
template <class T> GPY_FN i32 truncated_32(T x) { return i32(x); }
template <class T> GPY_FN i64 truncated_64(T x) { return i64(x); }
#endif

// Converts through the widths that have an instruction, so that every instruction set agrees.
template <class R, class T> GPY_FN R float_to_int(T x) {
  if constexpr (sizeof(R) < 4 || Same<R, i32>::value) {
    return R(truncated_32(x));
  } else if constexpr (Same<R, u64>::value) {
    const T two63 = T(9223372036854775808.0);
    return x >= two63 ? u64(truncated_64(x - two63)) ^ 0x8000000000000000ull : u64(truncated_64(x));
  } else {
    return R(truncated_64(x));
  }
}

template <class R, class T> GPY_FN R cast(T x) {
  if constexpr (Same<R, T>::value) {
    return x;
  } else if constexpr (Traits<R>::is_bool) {
    return truth(x);
  } else if constexpr (Traits<T>::is_complex) {
    if constexpr (Traits<R>::is_complex) {
      return R(typename Traits<R>::Real(x.re), typename Traits<R>::Real(x.im));
    } else {
      return cast<R>(x.re);
    }
  } else if constexpr (Traits<R>::is_complex) {
    return R(cast<typename Traits<R>::Real>(x));
  } else if constexpr (IsNarrow<T>::value) {
    return cast<R>(f32(x));
  } else if constexpr (Traits<T>::is_float && Traits<R>::is_integer) {
    return float_to_int<R>(x);
  } else {
    return R(x);
  }
}

// --- arithmetic ---

// x * y + z, rounded once.
GPY_FN f32 fused(f32 x, f32 y, f32 z) { return ::fmaf(x, y, z); }
GPY_FN f64 fused(f64 x, f64 y, f64 z) { return ::fma(x, y, z); }

#define GPY_BINARY template <class T> GPY_FN T
#define GPY_UNARY template <class T> GPY_FN T

// Signed integers go through unsigned ones: their overflow wraps, and no compiler may assume
// otherwise.
GPY_BINARY add(T x, T y) {
  if constexpr (Traits<T>::is_bool) return x | y;
  else if constexpr (Traits<T>::is_integer)
    return T((typename Traits<T>::Unsigned)x + (typename Traits<T>::Unsigned)y);
  else if constexpr (Traits<T>::is_complex) return T(x.re + y.re, x.im + y.im);
  else return T((typename Compute<T>::Type)x + (typename Compute<T>::Type)y);
}
GPY_BINARY subtract(T x, T y) {
  if constexpr (Traits<T>::is_integer)
    return T((typename Traits<T>::Unsigned)x - (typename Traits<T>::Unsigned)y);
  else if constexpr (Traits<T>::is_complex) return T(x.re - y.re, x.im - y.im);
  else return T((typename Compute<T>::Type)x - (typename Compute<T>::Type)y);
}
GPY_BINARY multiply(T x, T y) {
  if constexpr (Traits<T>::is_bool) return x & y;
  else if constexpr (Traits<T>::is_integer)
    return T((typename Traits<T>::Unsigned)x * (typename Traits<T>::Unsigned)y);
  else if constexpr (Traits<T>::is_complex)
    // Fused here, lest a compiler does it in some places only (gcc in whole vectors).
    return T(fused(x.re, y.re, -(x.im * y.im)), fused(x.re, y.im, x.im * y.re));
  else return T((typename Compute<T>::Type)x * (typename Compute<T>::Type)y);
}

template <class T> GPY_FN f64 divide(T x, T y) { return f64(x) / f64(y); }  // integers
GPY_FN f32 divide(f32 x, f32 y) { return x / y; }
GPY_FN f64 divide(f64 x, f64 y) { return x / y; }
// Smith's method, as NumPy writes it; fused as products are.
template <class F> GPY_FN Complex<F> divide(Complex<F> x, Complex<F> y) {
  F a = magnitude(y.re), b = magnitude(y.im);
  if (a >= b) {
    if (a == F(0) && b == F(0)) return Complex<F>(x.re / a, x.im / a);
    F ratio = y.im / y.re, scale = F(1) / fused(y.im, ratio, y.re);
    return Complex<F>(fused(x.im, ratio, x.re) * scale, fused(-x.re, ratio, x.im) * scale);
  }
  F ratio = y.re / y.im, scale = F(1) / fused(y.re, ratio, y.im);
  return Complex<F>(fused(x.re, ratio, x.im) * scale, fused(x.im, ratio, -x.re) * scale);
}

GPY_UNARY floor(T x) {
  if constexpr (Same<T, f32>::value) return ::floorf(x);
  else if constexpr (Same<T, f64>::value) return ::floor(x);
  else return x;
}
GPY_BINARY fmod(T x, T y) {  // the sign of x, as C
  if constexpr (Traits<T>::is_integer) {
    if (y == T(0)) {
      raise_divide_by_zero();
      return T(0);
    }
    if constexpr (Traits<T>::is_signed) {
      if (y == T(-1)) return T(0);
    }
    return T(x % y);
  } else if constexpr (sizeof(T) == 4) {
    return ::fmodf(x, y);
  } else {
    return ::fmod(x, y);
  }
}
GPY_BINARY floor_divide(T x, T y) {
  if constexpr (Traits<T>::is_integer) {
    if (y == T(0)) {
      raise_divide_by_zero();
      return T(0);
    }
    if constexpr (Traits<T>::is_signed) {
      if (y == T(-1)) {
        if (x == lowest_int<T>()) raise_overflow();
        return subtract(T(0), x);
      }
      T quotient = T(x / y);
      return T(quotient - ((quotient * y != x) & ((x < T(0)) != (y < T(0)))));
    } else {
      return T(x / y);
    }
  } else {
    if (y == T(0)) return x / y;
    T rest = fmod(x, y), quotient = (x - rest) / y;
    if (rest != rest) return rest;  // comparing a NaN's order would be an invalid operation
    if (rest != T(0)) {
      if ((y < T(0)) != (rest < T(0))) quotient -= T(1);
    }
    if (quotient == T(0)) return copysign(T(0), x / y);
    T whole = floor(quotient);
    return quotient - whole > T(0.5) ? whole + T(1) : whole;
  }
}
GPY_BINARY remainder(T x, T y) {
  if constexpr (Traits<T>::is_integer) {
    if (y == T(0)) {
      raise_divide_by_zero();
      return T(0);
    }
    if constexpr (Traits<T>::is_signed) {
      if (y == T(-1)) return T(0);
      T rest = T(x % y);
      return T(rest != T(0) && (rest < T(0)) != (y < T(0)) ? rest + y : rest);
    } else {
      return T(x % y);
    }
  } else {
    T rest = fmod(x, y);
    if (y == T(0) || rest != rest) return rest;
    if (rest != T(0)) return (y < T(0)) != (rest < T(0)) ? rest + y : rest;
    return copysign(T(0), y);
  }
}
#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
// Written in separate steps: CUDA 13.0's assembler loses the sign of a negated operand in a maximum
// or minimum of three, max(max(x, -x), c), and the width of abs(x) of 16 bits in a comparison.
template <class T> GPY_FN T negative_int(T x) {
  if constexpr (sizeof(T) == 8) {
    return T(0ull - u64(x));
  } else {
    i32 result;
    asm("not.b32 %0, %1;\n\tadd.s32 %0, %0, 1;" : "=&r"(result) : "r"(i32(x)));
    return T(result);
  }
}
#else
template <class T> GPY_FN T negative_int(T x) {
  return T((typename Traits<T>::Unsigned)0 - (typename Traits<T>::Unsigned)x);
}
#endif
GPY_UNARY negative(T x) {
  if constexpr (Traits<T>::is_integer) return negative_int(x);
  else if constexpr (Traits<T>::is_complex) return T(-x.re, -x.im);
  else return -x;
}
template <class F> GPY_FN Narrow<F> negative(Narrow<F> x) {
  return Narrow<F>::from_bits(x.bits ^ 0x8000u);
}
GPY_UNARY positive(T x) { return x; }

GPY_FN f32 hypot(f32 x, f32 y) { return ::hypotf(x, y); }
GPY_FN f64 hypot(f64 x, f64 y) { return ::hypot(x, y); }

template <class T> GPY_FN typename Traits<T>::Real absolute(T x) {
  if constexpr (Traits<T>::is_complex) return hypot(x.re, x.im);
  else if constexpr (IsNarrow<T>::value) return T::from_bits(x.bits & 0x7fffu);
  else if constexpr (Traits<T>::is_float) return magnitude(x);
  else if constexpr (Traits<T>::is_signed) return x < T(0) ? negative(x) : x;
  else return x;
}

GPY_UNARY sign(T x) {
  if constexpr (Traits<T>::is_complex) {
    typedef typename Traits<T>::Real F;
    F size = hypot(x.re, x.im);
    if (is_nan(size) || (is_inf(x.re) && is_inf(x.im)))
      return T(not_a_number<F>(), not_a_number<F>());
    if (is_inf(x.re)) return T(copysign(F(1), x.re), F(0));
    if (is_inf(x.im)) return T(F(0), copysign(F(1), x.im));
    return size == F(0) ? T(F(0), F(0)) : T(x.re / size, x.im / size);
  } else if constexpr (Traits<T>::is_float) {
    return x > T(0) ? T(1) : x < T(0) ? T(-1) : x == T(0) ? T(0) : x;
  } else if constexpr (Traits<T>::is_signed) {
    return T((x > T(0)) - (x < T(0)));
  } else {
    return T(x > T(0));
  }
}
GPY_UNARY square(T x) { return multiply(x, x); }
template <class F> GPY_FN Complex<F> complex_reciprocal(Complex<F> x) {
  if (magnitude(x.im) <= magnitude(x.re)) {
    F ratio = x.im / x.re, size = fused(x.im, ratio, x.re);
    return Complex<F>(F(1) / size, -ratio / size);
  }
  F ratio = x.re / x.im, size = fused(x.re, ratio, x.im);
  return Complex<F>(ratio / size, F(-1) / size);
}
GPY_UNARY reciprocal(T x) {
  if constexpr (Traits<T>::is_integer) return float_to_int<T>(1.0 / f64(x));
  else if constexpr (Traits<T>::is_complex) return complex_reciprocal(x);
  else return T(1) / x;
}
GPY_UNARY conjugate(T x) {
  if constexpr (Traits<T>::is_complex) return T(x.re, -x.im);
  else return x;
}
template <class T> GPY_FN typename Traits<T>::Real real_part(T x) { return x.re; }
template <class T> GPY_FN typename Traits<T>::Real imag_part(T x) { return x.im; }

// --- order: complex numbers compare by real part, then by imaginary part ---

// NumPy's: a NaN in an imaginary part makes the real parts' verdict false too.
template <class F> GPY_FN bool less(Complex<F> x, Complex<F> y) {
  return (x.re < y.re && !is_nan(x.im) && !is_nan(y.im)) || (x.re == y.re && x.im < y.im);
}
template <class F> GPY_FN bool less_equal(Complex<F> x, Complex<F> y) {
  return (x.re < y.re && !is_nan(x.im) && !is_nan(y.im)) || (x.re == y.re && x.im <= y.im);
}
template <class F> GPY_FN bool equal(Complex<F> x, Complex<F> y) {
  return (x.re == y.re) & (x.im == y.im);
}
template <class T> GPY_FN bool less(T x, T y) { return x < y; }
template <class T> GPY_FN bool less_equal(T x, T y) { return x <= y; }
template <class T> GPY_FN bool equal(T x, T y) { return x == y; }
GPY_FN bool less(bool x, bool y) { return !x & y; }
GPY_FN bool less_equal(bool x, bool y) { return !x | y; }
GPY_FN bool less(i64 x, u64 y) { return (x < 0) | (u64(x) < y); }
GPY_FN bool less(u64 x, i64 y) { return (y > 0) & (x < u64(y)); }
GPY_FN bool less_equal(i64 x, u64 y) { return (x < 0) | (u64(x) <= y); }
GPY_FN bool less_equal(u64 x, i64 y) { return (y >= 0) & (x <= u64(y)); }
GPY_FN bool equal(i64 x, u64 y) { return (x >= 0) & (u64(x) == y); }
GPY_FN bool equal(u64 x, i64 y) { return equal(y, x); }

// A NaN wins in maximum and minimum and loses in fmax and fmin. Of two zeros the second is taken.
GPY_BINARY maximum(T x, T y) {
  if constexpr (Traits<T>::is_bool) return x | y;
  else if constexpr (Traits<T>::is_complex) return is_nan(x) || less_equal(y, x) ? x : y;
  else if constexpr (Traits<T>::is_float) return ((x > y) | (x != x)) ? x : y;
  else return x > y ? x : y;
}
GPY_BINARY minimum(T x, T y) {
  if constexpr (Traits<T>::is_bool) return x & y;
  else if constexpr (Traits<T>::is_complex) return is_nan(x) || less_equal(x, y) ? x : y;
  else if constexpr (Traits<T>::is_float) return ((x < y) | (x != x)) ? x : y;
  else return x < y ? x : y;
}
GPY_BINARY fmax(T x, T y) {
  if constexpr (Traits<T>::is_bool) return x | y;
  else if constexpr (Traits<T>::is_complex) return is_nan(y) || less_equal(y, x) ? x : y;
  else if constexpr (Traits<T>::is_float) return ((x > y) | (y != y)) ? x : y;
  else return x > y ? x : y;
}
GPY_BINARY fmin(T x, T y) {
  if constexpr (Traits<T>::is_bool) return x & y;
  else if constexpr (Traits<T>::is_complex) return is_nan(y) || less_equal(x, y) ? x : y;
  else if constexpr (Traits<T>::is_float) return ((x < y) | (y != y)) ? x : y;
  else return x < y ? x : y;
}
// Written as separate selects, so that loops of them are vectorized. Of two zeros x is taken.
template <class T> GPY_FN T clip(T x, T low, T high) {
  if constexpr (Traits<T>::is_float) {
    T raised = x < low ? low : x;
    T limited = raised > high ? high : raised;
    limited = high != high ? high : limited;
    limited = low != low ? low : limited;
    return x != x ? x : limited;
  } else {
    return minimum(maximum(x, low), high);
  }
}
template <class T> GPY_FN T where(bool condition, T x, T y) { return condition ? x : y; }

// --- bits ---

GPY_BINARY bitwise_and(T x, T y) { return T(x & y); }
GPY_BINARY bitwise_or(T x, T y) { return T(x | y); }
GPY_BINARY bitwise_xor(T x, T y) { return T(x ^ y); }
GPY_UNARY invert(T x) {
  if constexpr (Traits<T>::is_bool) return !x;
  else return T(~x);
}
GPY_BINARY left_shift(T x, T y) {
  u64 by = u64(y);
  return by < sizeof(T) * 8 ? T((typename Traits<T>::Unsigned)x << by) : T(0);
}
GPY_BINARY right_shift(T x, T y) {
  u64 by = u64(y);
  return by < sizeof(T) * 8 ? T(x >> by) : T(x < T(0) ? -1 : 0);
}
GPY_BINARY gcd(T x, T y) {
  typename Traits<T>::Unsigned a = absolute(x), b = absolute(y);
  if constexpr (sizeof(T) < 4) {  // |lowest| came back sign-extended
    a &= (1u << sizeof(T) * 8) - 1;
    b &= (1u << sizeof(T) * 8) - 1;
  }
  while (a != 0) {
    typename Traits<T>::Unsigned rest = b % a;
    b = a;
    a = rest;
  }
  return T(b);
}
GPY_BINARY lcm(T x, T y) {
  T divisor = gcd(x, y);
  return divisor == T(0) ? T(0) : multiply(T(absolute(x) / divisor), absolute(y));
}

// Squares repeatedly; wraps. Callers refuse a negative exponent: it raises "invalid" here.
template <class T> GPY_FN T integer_power(T x, T y) {
  if constexpr (Traits<T>::is_signed) {
    if (y < T(0)) {
      raise_invalid();
      return T(0);
    }
  }
  T result = T(1);
  while (y != T(0)) {
    if (y & T(1)) result = multiply(result, x);
    x = multiply(x, x);
    y = T(y >> 1);
  }
  return result;
}

// --- the order of bytes ---

GPY_FN u16 byteswap(u16 x) { return u16(x << 8 | x >> 8); }
GPY_FN u32 byteswap(u32 x) { return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24; }
GPY_FN u64 byteswap(u64 x) { return u64(byteswap(u32(x))) << 32 | byteswap(u32(x >> 32)); }
GPY_FN f32 byteswap(f32 x) { return float_from_bits(byteswap(float_bits(x))); }
GPY_FN f64 byteswap(f64 x) { return double_from_bits(byteswap(double_bits(x))); }
template <class F> GPY_FN Narrow<F> byteswap(Narrow<F> x) {
  return Narrow<F>::from_bits(byteswap(x.bits));
}
template <class F> GPY_FN Complex<F> byteswap(Complex<F> x) {
  return Complex<F>(byteswap(x.re), byteswap(x.im));
}
template <class T> GPY_FN T byteswap(T x) {
  if constexpr (sizeof(T) == 1) return x;
  else if constexpr (sizeof(T) == 2) return T(byteswap(u16(x)));
  else if constexpr (sizeof(T) == 4) return T(byteswap(u32(x)));
  else return T(byteswap(u64(x)));
}

// --- rounding ---

GPY_UNARY ceil(T x) {
  if constexpr (Same<T, f32>::value) return ::ceilf(x);
  else if constexpr (Same<T, f64>::value) return ::ceil(x);
  else return x;
}
GPY_UNARY trunc(T x) {
  if constexpr (Same<T, f32>::value) return ::truncf(x);
  else if constexpr (Same<T, f64>::value) return ::trunc(x);
  else return x;
}
GPY_FN f32 rint(f32 x) { return ::rintf(x); }
GPY_FN f64 rint(f64 x) { return ::rint(x); }
template <class F> GPY_FN Complex<F> rint(Complex<F> x) {
  return Complex<F>(rint(x.re), rint(x.im));
}

GPY_FN f32 sqrt(f32 x) { return ::sqrtf(x); }
GPY_FN f64 sqrt(f64 x) { return ::sqrt(x); }

GPY_UNARY degrees(T x) { return x * (T(180) / T(3.141592653589793238462643383279502884)); }
GPY_UNARY radians(T x) { return x * (T(3.141592653589793238462643383279502884) / T(180)); }

// Steps through the floats of a type as through integers.
template <class F, class Bits, class Signed> GPY_FN Bits next_bits(Bits x, Bits y) {
  const Bits sign = Bits(1) << (sizeof(Bits) * 8 - 1);
  if (Bits(x & ~sign) == 0) return Bits((y & sign) | 1);
  bool outwards = ((x ^ y) & sign) == 0 && Bits(y & ~sign) > Bits(x & ~sign);
  return Bits(outwards ? x + 1 : x - 1);
}
GPY_FN f32 nextafter(f32 x, f32 y) {
  if (is_nan(x) || is_nan(y)) return x + y;
  return x == y ? y : float_from_bits(next_bits<f32, u32, i32>(float_bits(x), float_bits(y)));
}
GPY_FN f64 nextafter(f64 x, f64 y) {
  if (is_nan(x) || is_nan(y)) return x + y;
  return x == y ? y : double_from_bits(next_bits<f64, u64, i64>(double_bits(x), double_bits(y)));
}
template <class F> GPY_FN Narrow<F> nextafter(Narrow<F> x, Narrow<F> y) {
  if (is_nan(x)) return x;
  if (is_nan(y)) return y;
  if (f32(x) == f32(y)) return x;
  return Narrow<F>::from_bits(next_bits<Narrow<F>, u16, i16>(x.bits, y.bits));
}

#define GPY_NARROW_1(name) \
  template <class F> GPY_FN Narrow<F> name(Narrow<F> x) { return Narrow<F>(name(f32(x))); }
#define GPY_NARROW_2(name)                                             \
  template <class F> GPY_FN Narrow<F> name(Narrow<F> x, Narrow<F> y) { \
    return Narrow<F>(name(f32(x), f32(y)));                            \
  }
GPY_NARROW_2(divide)
GPY_NARROW_2(floor_divide)
GPY_NARROW_2(remainder)
GPY_NARROW_2(fmod)
GPY_NARROW_2(maximum)
GPY_NARROW_2(minimum)
GPY_NARROW_2(fmax)
GPY_NARROW_2(fmin)
GPY_NARROW_2(hypot)
GPY_NARROW_1(sign)
GPY_NARROW_1(reciprocal)
GPY_NARROW_1(floor)
GPY_NARROW_1(ceil)
GPY_NARROW_1(trunc)
GPY_NARROW_1(rint)
GPY_NARROW_1(sqrt)
GPY_NARROW_1(degrees)
GPY_NARROW_1(radians)
template <class F> GPY_FN bool less(Narrow<F> x, Narrow<F> y) { return f32(x) < f32(y); }
template <class F> GPY_FN bool less_equal(Narrow<F> x, Narrow<F> y) { return f32(x) <= f32(y); }
template <class F> GPY_FN bool equal(Narrow<F> x, Narrow<F> y) { return f32(x) == f32(y); }
template <class F> GPY_FN Narrow<F> clip(Narrow<F> x, Narrow<F> low, Narrow<F> high) {
  return Narrow<F>(clip(f32(x), f32(low), f32(high)));
}
