// Complex numbers as Python computes them, by CPython's formulas so that the last bits agree: every
// operation is rounded. The interpreter reads this text too. What raises there gives no finite
// number here, and a divisor of 0 is looked at before.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)

template <class F> GPY_FN Complex<F> plain_product(Complex<F> x, Complex<F> y) {
  return Complex<F>(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
}
template <class F> GPY_FN Complex<F> plain_square(Complex<F> x) { return plain_product(x, x); }

// Smith's method: divides by the larger part first, so that no intermediate result overflows.
template <class F> GPY_FN Complex<F> plain_quotient(Complex<F> x, Complex<F> y) {
  const F a = magnitude(y.re), b = magnitude(y.im);
  if (a >= b) {
    const F ratio = y.im / y.re, scale = y.re + y.im * ratio;
    return Complex<F>((x.re + x.im * ratio) / scale, (x.im - x.re * ratio) / scale);
  }
  if (b >= a) {
    const F ratio = y.re / y.im, scale = y.re * ratio + y.im;
    return Complex<F>((x.re * ratio + x.im) / scale, (x.im * ratio - x.re) / scale);
  }
  return Complex<F>(not_a_number<F>(), not_a_number<F>());
}

template <class F> GPY_LONG_FN Complex<F> natural_power(Complex<F> base, u64 exponent) {
  Complex<F> result(F(1), F(0));
  for (u64 mask = 1; mask && exponent >= mask; mask <<= 1) {
    if (exponent & mask) result = plain_product(result, base);
    base = plain_product(base, base);
  }
  return result;
}

template <class F> GPY_LONG_FN Complex<F> polar_power(Complex<F> x, Complex<F> y) {
  const F size = ::hypot(x.re, x.im), turn = ::atan2(x.im, x.re);
  F length = ::pow(size, y.re), phase = turn * y.re;
  if (y.im != F(0)) {
    length /= ::exp(turn * y.im);
    phase += y.im * ::log(size);
  }
  return Complex<F>(length * ::cos(phase), length * ::sin(phase));
}

template <class F> GPY_FN bool is_whole_exponent(Complex<F> y) {
  return y.im == F(0) && y.re == ::floor(y.re) && magnitude(y.re) <= F(100);
}
// What is 0 has no negative or complex power.
template <class F> GPY_LONG_FN bool has_power(Complex<F> x, Complex<F> y) {
  if (x.re == F(0) && x.im == F(0)) return !(y.re < F(0) || y.im != F(0));
  if (!is_whole_exponent(y) || y.re >= F(0)) return true;
  return truth(natural_power(x, u64(-y.re)));
}
template <class F> GPY_LONG_FN Complex<F> plain_power(Complex<F> x, Complex<F> y) {
  if (!has_power(x, y)) return Complex<F>(not_a_number<F>(), not_a_number<F>());
  if (is_whole_exponent(y)) {
    if (y.re >= F(0)) return natural_power(x, u64(y.re));
    return plain_quotient(Complex<F>(F(1), F(0)), natural_power(x, u64(-y.re)));
  }
  if (x.re == F(0) && x.im == F(0)) return Complex<F>(F(0), F(0));
  return polar_power(x, y);
}
#endif
