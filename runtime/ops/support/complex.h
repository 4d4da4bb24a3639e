// Elementary functions of complex numbers.

template <class F> GPY_FN Complex<F> operator+(Complex<F> x, Complex<F> y) { return add(x, y); }
template <class F> GPY_FN Complex<F> operator-(Complex<F> x, Complex<F> y) { return subtract(x, y); }
template <class F> GPY_FN Complex<F> operator*(Complex<F> x, Complex<F> y) { return multiply(x, y); }
template <class F> GPY_FN Complex<F> times(Complex<F> x, F factor) {
  return Complex<F>(x.re * factor, x.im * factor);
}

#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)
// The host has C's complex functions, which NumPy calls too.
GPY_FN _Complex float to_c(Complex<f32> x) {
  _Complex float result;
  __real__ result = x.re;
  __imag__ result = x.im;
  return result;
}
GPY_FN _Complex double to_c(Complex<f64> x) {
  _Complex double result;
  __real__ result = x.re;
  __imag__ result = x.im;
  return result;
}
GPY_FN Complex<f32> from_c(_Complex float x) { return Complex<f32>(__real__ x, __imag__ x); }
GPY_FN Complex<f64> from_c(_Complex double x) { return Complex<f64>(__real__ x, __imag__ x); }

#define GPY_COMPLEX_1(name, function)                                                           \
  GPY_LONG_FN Complex<f32> name(Complex<f32> x) { return from_c(__builtin_##function##f(to_c(x))); } \
  GPY_LONG_FN Complex<f64> name(Complex<f64> x) { return from_c(__builtin_##function(to_c(x))); }
GPY_COMPLEX_1(sqrt, csqrt)
GPY_COMPLEX_1(exp, cexp)
GPY_COMPLEX_1(log, clog)
GPY_COMPLEX_1(sin, csin)
GPY_COMPLEX_1(cos, ccos)
GPY_COMPLEX_1(tan, ctan)
GPY_COMPLEX_1(arcsin, casin)
GPY_COMPLEX_1(arccos, cacos)
GPY_COMPLEX_1(arctan, catan)
GPY_COMPLEX_1(sinh, csinh)
GPY_COMPLEX_1(cosh, ccosh)
GPY_COMPLEX_1(tanh, ctanh)
GPY_COMPLEX_1(arcsinh, casinh)
GPY_COMPLEX_1(arccosh, cacosh)
GPY_COMPLEX_1(arctanh, catanh)
GPY_LONG_FN Complex<f32> general_power(Complex<f32> x, Complex<f32> y) {
  return from_c(__builtin_cpowf(to_c(x), to_c(y)));
}
GPY_LONG_FN Complex<f64> general_power(Complex<f64> x, Complex<f64> y) {
  return from_c(__builtin_cpow(to_c(x), to_c(y)));
}
#endif

template <class F> GPY_LONG_FN Complex<F> exp2(Complex<F> x) {
  return exp(times(x, F(0.693147180559945309417232121458176568)));
}
template <class F> GPY_LONG_FN Complex<F> log2(Complex<F> x) {
  return times(log(x), F(1.442695040888963407359924681001892137));
}
template <class F> GPY_LONG_FN Complex<F> log10(Complex<F> x) {
  return times(log(x), F(0.434294481903251827651128918916605082));
}
template <class F> GPY_LONG_FN Complex<F> expm1(Complex<F> x) {
  F a = sin(x.im / F(2));
  return Complex<F>(expm1(x.re) * cos(x.im) - F(2) * a * a, exp(x.re) * sin(x.im));
}
template <class F> GPY_LONG_FN Complex<F> log1p(Complex<F> x) {
  F size = hypot(x.re + F(1), x.im);
  return Complex<F>(log(size), arctan2(x.im, x.re + F(1)));
}
template <class F> GPY_LONG_FN F angle(Complex<F> x) { return arctan2(x.im, x.re); }

// NumPy's: special bases first, small integer exponents by multiplication, then exp(y log x).
template <class F> GPY_LONG_FN Complex<F> complex_power(Complex<F> x, Complex<F> y) {
  const Complex<F> one(F(1), F(0));
  if (y.re == F(0) && y.im == F(0)) return one;
  if (x.re == F(0) && x.im == F(0)) {
    if (y.re > F(0)) return Complex<F>(F(0), F(0));
    raise_invalid();
    return Complex<F>(not_a_number<F>(), not_a_number<F>());
  }
  i32 n = magnitude(y.re) < F(100) ? i32(y.re) : 0;
  if (y.im != F(0) || F(n) != y.re || n == 0) return general_power(x, y);
  if (n == 1) return x;
  if (n == 2) return x * x;
  if (n == 3) return x * (x * x);
  Complex<F> result = one;
  for (i32 left = n < 0 ? -n : n;; x = x * x) {
    if (left & 1) result = result * x;
    left >>= 1;
    if (left == 0) break;
  }
  return n < 0 ? divide(one, result) : result;
}
