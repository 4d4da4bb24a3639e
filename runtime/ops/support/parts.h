// Floating-point numbers as a mantissa and an exponent, as whole and fractional parts, and integers
// as bits. Free of branches where it counts, so that loops of them are vectorised.

template <class T> GPY_FN T spacing(T x) {
  if (is_nan(x)) return x;
  if (is_inf(x)) {
    raise_invalid();
    return x - x;
  }
  if (x == T(0)) return nextafter(x, T(1));
  const T next = nextafter(x, copysign(infinity<T>(), x));
  if (is_inf(next)) raise_overflow();
  return next - x;
}
// Of narrow floats NumPy tells the distance to the next number above.
template <class F> GPY_FN Narrow<F> spacing(Narrow<F> x) {
  if (!is_finite(x)) {
    raise_invalid();
    return Narrow<F>(f32(x) - f32(x));
  }
  const Narrow<F> next = nextafter(x, Narrow<F>(infinity<f32>()));
  if (is_inf(next)) raise_overflow();
  return Narrow<F>(f32(next) - f32(x));
}

// Numbers below the normal ones are scaled by 2**54 first.
GPY_FN bool is_subnormal(f64 x) { return (double_bits(x) & 0x7ff0000000000000ull) == 0; }
GPY_FN bool has_exponent(f64 x) { return x != 0.0 && is_finite(x); }
GPY_FN u64 normal_bits(f64 x) { return double_bits(is_subnormal(x) ? x * 18014398509481984.0 : x); }
GPY_FN f64 frexp_mantissa(f64 x) {
  const u64 bits = (normal_bits(x) & 0x800fffffffffffffull) | 0x3fe0000000000000ull;
  return has_exponent(x) ? double_from_bits(bits) : x;
}
GPY_FN i32 frexp_exponent(f64 x) {
  const i32 exponent = i32((normal_bits(x) >> 52) & 0x7ff) - (is_subnormal(x) ? 1076 : 1022);
  return has_exponent(x) ? exponent : 0;
}
GPY_FN f32 frexp_mantissa(f32 x) { return f32(frexp_mantissa(f64(x))); }
GPY_FN i32 frexp_exponent(f32 x) { return frexp_exponent(f64(x)); }

// Exponents beyond 4000 either way give what 4000 gives.
GPY_FN int narrow_exponent(i64 n) { return int(n < -4000 ? -4000 : n > 4000 ? 4000 : n); }
GPY_FN f32 ldexp(f32 x, i64 n) { return ::ldexpf(x, narrow_exponent(n)); }
GPY_FN f64 ldexp(f64 x, i64 n) { return ::ldexp(x, narrow_exponent(n)); }
template <class F> GPY_FN Narrow<F> ldexp(Narrow<F> x, i64 n) {
  return Narrow<F>(ldexp(f32(x), n));
}

// The fraction of an infinity is 0.
template <class T> GPY_FN T modf_fraction(T x) {
  return copysign(is_inf(x) ? T(0) : T(x - trunc(x)), x);
}

// The bits that are 1 in |x|, counted in pairs, fours, bytes and then all at once.
template <class T> GPY_FN u8 bit_count(T x) {
  typedef typename Traits<T>::Unsigned U;
  U bits = x < T(0) ? U(0) - U(x) : U(x);
  bits = bits - ((bits >> 1) & U(0x5555555555555555ull));
  bits = (bits & U(0x3333333333333333ull)) + ((bits >> 2) & U(0x3333333333333333ull));
  bits = (bits + (bits >> 4)) & U(0x0f0f0f0f0f0f0f0full);
  bits += bits >> 8;
  bits += bits >> 16;
  if constexpr (sizeof(U) == 8) bits += bits >> 32;
  return u8(bits & 0x7f);
}
