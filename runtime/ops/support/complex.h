// Elementary functions of complex numbers.

template <class F> GPY_FN Complex<F> operator+(Complex<F> x, Complex<F> y) { return add(x, y); }
template <class F> GPY_FN Complex<F> operator-(Complex<F> x, Complex<F> y) {
  return subtract(x, y);
}
template <class F> GPY_FN Complex<F> operator*(Complex<F> x, Complex<F> y) {
  return multiply(x, y);
}
template <class F> GPY_FN Complex<F> times(Complex<F> x, F factor) {
  return Complex<F>(x.re * factor, x.im * factor);
}

// --- our own, for devices; the host has C's, which NumPy calls too ---

// i z, for the functions that are another one turned by 90 degrees, and back.
template <class F> GPY_FN Complex<F> turned(Complex<F> z) { return Complex<F>(-z.im, z.re); }
template <class F> GPY_FN Complex<F> turned_back(Complex<F> z) { return Complex<F>(z.im, -z.re); }

template <class F> GPY_LONG_FN Complex<F> complex_sqrt(Complex<F> z) {
  if (z.re == F(0) && z.im == F(0)) return Complex<F>(F(0), z.im);
  if (is_inf(z.im)) return Complex<F>(infinity<F>(), z.im);
  if (is_inf(z.re) && !is_nan(z.im)) {
    if (z.re > F(0)) return Complex<F>(z.re, copysign(F(0), z.im));
    return Complex<F>(F(0), copysign(infinity<F>(), z.im));
  }
  // A quarter of large parts, 2^n times small ones, keep the sum in range.
  const F most = sizeof(F) == 4 ? F(8.5e37f) : F(4.4e307);
  const F least = sizeof(F) == 4 ? F(1e-30f) : F(1e-290);
  F scale = F(1);
  if (magnitude(z.re) >= most || magnitude(z.im) >= most) {
    z = times(z, F(0.25));
    scale = F(2);
  } else if (magnitude(z.re) < least && magnitude(z.im) < least) {
    z = times(z, sizeof(F) == 4 ? F(1099511627776.0f) : F(18014398509481984.0));
    scale = sizeof(F) == 4 ? F(1.0f / 1048576.0f) : F(1.0 / 134217728.0);
  }
  F t = sqrt((magnitude(z.re) + hypot(z.re, z.im)) * F(0.5)), u = z.im / (F(2) * t);
  if (z.re >= F(0)) return Complex<F>(t * scale, u * scale);
  return Complex<F>(magnitude(u) * scale, copysign(t, z.im) * scale);
}

template <class F> GPY_LONG_FN Complex<F> complex_exp(Complex<F> z) {
  if (z.im == F(0)) return Complex<F>(exp(z.re), z.im);
  if (!is_finite(z.im)) {
    if (z.re == -infinity<F>()) return Complex<F>(F(0), F(0));
    if (z.re == infinity<F>()) return Complex<F>(z.re, not_a_number<F>());
    return Complex<F>(not_a_number<F>(), not_a_number<F>());
  }
  F half = exp(z.re * F(0.5));  // twice: exp(z.re) may overflow where the product does not
  if (z.re > F(sizeof(F) == 4 ? 88 : 709)) {
    return Complex<F>(half * cos(z.im) * half, half * sin(z.im) * half);
  }
  F size = exp(z.re);
  return Complex<F>(size * cos(z.im), size * sin(z.im));
}

template <class F> GPY_LONG_FN F log_magnitude(F x, F y) {
  F a = magnitude(x), b = magnitude(y);
  if (a < b) {
    F swap = a;
    a = b;
    b = swap;
  }
  const F most = sizeof(F) == 4 ? F(8.5e37f) : F(4.4e307);
  if (a > most && is_finite(a))
    return log(hypot(a * F(0.25), b * F(0.25))) + F(1.386294361119890618834464242916353136);
  if (a < F(0.5) || a > F(1.5) || b != b) return log(hypot(a, b));
  // Near 1 the logarithm is that of a^2 + b^2 - 1, with its products exact.
  F aa = a * a, bb = b * b;
  F rest = fused(a, a, -aa) + fused(b, b, -bb);
  F less_one = (aa - F(1)) + bb + rest;
  return less_one > F(-0.5) && less_one < F(3) ? F(0.5) * log1p(less_one) : log(hypot(a, b));
}
template <class F> GPY_LONG_FN Complex<F> complex_log(Complex<F> z) {
  return Complex<F>(log_magnitude(z.re, z.im), arctan2(z.im, z.re));
}

template <class F> GPY_LONG_FN Complex<F> complex_sinh(Complex<F> z) {
  if (z.im == F(0)) return Complex<F>(sinh(z.re), z.im);
  if (z.re == F(0)) return Complex<F>(z.re, sin(z.im));
  if (magnitude(z.re) > F(sizeof(F) == 4 ? 88 : 709) && is_finite(z.re)) {
    Complex<F> e =
        complex_exp(Complex<F>(magnitude(z.re) - F(0.693147180559945309417232121458176568), z.im));
    return Complex<F>(copysign(F(1), z.re) * e.re, e.im);
  }
  return Complex<F>(sinh(z.re) * cos(z.im), cosh(z.re) * sin(z.im));
}
template <class F> GPY_LONG_FN Complex<F> complex_cosh(Complex<F> z) {
  if (z.im == F(0)) return Complex<F>(cosh(z.re), z.re * z.im);
  if (z.re == F(0)) return Complex<F>(cos(z.im), z.re * z.im);
  if (magnitude(z.re) > F(sizeof(F) == 4 ? 88 : 709) && is_finite(z.re)) {
    Complex<F> e =
        complex_exp(Complex<F>(magnitude(z.re) - F(0.693147180559945309417232121458176568), z.im));
    return Complex<F>(e.re, copysign(F(1), z.re) * e.im);
  }
  return Complex<F>(cosh(z.re) * cos(z.im), sinh(z.re) * sin(z.im));
}
// Kahan's.
template <class F> GPY_LONG_FN Complex<F> complex_tanh(Complex<F> z) {
  if (magnitude(z.re) >= F(sizeof(F) == 4 ? 11 : 22)) {
    F e = exp(-magnitude(z.re));
    F im = is_finite(z.im) ? F(4) * sin(z.im) * cos(z.im) * e * e : F(0);
    return Complex<F>(copysign(F(1), z.re), im);
  }
  F t = tan(z.im), beta = F(1) + t * t, s = sinh(z.re), rho = sqrt(F(1) + s * s);
  if (is_inf(t)) return Complex<F>(rho / s, F(1) / t);
  F below = F(1) + beta * s * s;
  return Complex<F>(beta * rho * s / below, t / below);
}

// Kahan's, by two square roots.
template <class F> GPY_LONG_FN Complex<F> complex_arcsin(Complex<F> z) {
  Complex<F> a = complex_sqrt(Complex<F>(F(1) - z.re, -z.im)),
             b = complex_sqrt(Complex<F>(F(1) + z.re, z.im));
  return Complex<F>(arctan2(z.re, a.re * b.re - a.im * b.im), arcsinh(a.re * b.im - a.im * b.re));
}
template <class F> GPY_LONG_FN Complex<F> complex_arccos(Complex<F> z) {
  Complex<F> a = complex_sqrt(Complex<F>(F(1) - z.re, -z.im)),
             b = complex_sqrt(Complex<F>(F(1) + z.re, z.im));
  return Complex<F>(F(2) * arctan2(a.re, b.re), arcsinh(b.re * a.im - b.im * a.re));
}
template <class F> GPY_LONG_FN Complex<F> complex_arccosh(Complex<F> z) {
  Complex<F> a = complex_sqrt(Complex<F>(z.re - F(1), z.im)),
             b = complex_sqrt(Complex<F>(z.re + F(1), z.im));
  return Complex<F>(arcsinh(a.re * b.re + a.im * b.im), F(2) * arctan2(a.im, b.re));
}
template <class F> GPY_LONG_FN Complex<F> complex_arctanh(Complex<F> z) {
  const F huge = sizeof(F) == 4 ? F(1e18f) : F(1e150);
  if (magnitude(z.re) > huge || magnitude(z.im) > huge) {
    F size = hypot(z.re * F(0.5), z.im * F(0.5));
    F re = is_inf(size) ? F(0) : z.re * F(0.25) / size / size;
    return Complex<F>(copysign(re, z.re),
                      copysign(F(1.570796326794896619231321691639751442), z.im));
  }
  F x = magnitude(z.re), away = F(1) - x;  // log1p has all digits of what is not near -1
  F size = hypot(away, z.im);              // from 1; its square must not be lost
  F re = size < (sizeof(F) == 4 ? F(1e-12f) : F(1e-100))
             ? F(0.5) * (F(0.693147180559945309417232121458176568) - log(size))
             : F(0.25) * log1p(F(4) * x / (size * size));
  F im = F(0.5) * arctan2(F(2) * z.im, away * (F(1) + x) - z.im * z.im);
  return Complex<F>(copysign(re, z.re), im);
}

#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
template <class F> GPY_FN Complex<F> sqrt(Complex<F> z) { return complex_sqrt(z); }
template <class F> GPY_FN Complex<F> exp(Complex<F> z) { return complex_exp(z); }
template <class F> GPY_FN Complex<F> log(Complex<F> z) { return complex_log(z); }
template <class F> GPY_FN Complex<F> sinh(Complex<F> z) { return complex_sinh(z); }
template <class F> GPY_FN Complex<F> cosh(Complex<F> z) { return complex_cosh(z); }
template <class F> GPY_FN Complex<F> tanh(Complex<F> z) { return complex_tanh(z); }
template <class F> GPY_FN Complex<F> sin(Complex<F> z) {
  return turned_back(complex_sinh(turned(z)));
}
template <class F> GPY_FN Complex<F> cos(Complex<F> z) { return complex_cosh(turned(z)); }
template <class F> GPY_FN Complex<F> tan(Complex<F> z) {
  return turned_back(complex_tanh(turned(z)));
}
template <class F> GPY_FN Complex<F> arcsin(Complex<F> z) { return complex_arcsin(z); }
template <class F> GPY_FN Complex<F> arccos(Complex<F> z) { return complex_arccos(z); }
template <class F> GPY_FN Complex<F> arctan(Complex<F> z) {
  return turned_back(complex_arctanh(turned(z)));
}
template <class F> GPY_FN Complex<F> arcsinh(Complex<F> z) {
  return turned_back(complex_arcsin(turned(z)));
}
template <class F> GPY_FN Complex<F> arccosh(Complex<F> z) { return complex_arccosh(z); }
template <class F> GPY_FN Complex<F> arctanh(Complex<F> z) { return complex_arctanh(z); }
template <class F> GPY_LONG_FN Complex<F> general_power(Complex<F> x, Complex<F> y) {
  return complex_exp(y * complex_log(x));
}
#else
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

#define GPY_COMPLEX_1(name, function)                \
  GPY_LONG_FN Complex<f32> name(Complex<f32> x) {    \
    return from_c(__builtin_##function##f(to_c(x))); \
  }                                                  \
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
