// Elementary functions of real numbers, one overload a type. Backends agree within 4 ulp.

#define GPY_MATH_1(name, function)                    \
  GPY_FN f32 name(f32 x) { return ::function##f(x); } \
  GPY_FN f64 name(f64 x) { return ::function(x); }    \
  GPY_NARROW_1(name)
#define GPY_MATH_2(name, function)                              \
  GPY_FN f32 name(f32 x, f32 y) { return ::function##f(x, y); } \
  GPY_FN f64 name(f64 x, f64 y) { return ::function(x, y); }    \
  GPY_NARROW_2(name)

GPY_MATH_1(cbrt, cbrt)
GPY_MATH_1(exp, exp)
GPY_MATH_1(exp2, exp2)
GPY_MATH_1(expm1, expm1)
GPY_MATH_1(log, log)
GPY_MATH_1(log2, log2)
GPY_MATH_1(log10, log10)
GPY_MATH_1(log1p, log1p)
GPY_MATH_1(sin, sin)
GPY_MATH_1(cos, cos)
GPY_MATH_1(tan, tan)
GPY_MATH_1(arcsin, asin)
GPY_MATH_1(arccos, acos)
GPY_MATH_1(arctan, atan)
GPY_MATH_1(sinh, sinh)
GPY_MATH_1(cosh, cosh)
GPY_MATH_1(tanh, tanh)
GPY_MATH_1(arcsinh, asinh)
GPY_MATH_1(arccosh, acosh)
GPY_MATH_1(arctanh, atanh)
GPY_MATH_1(erf, erf)
GPY_MATH_1(erfc, erfc)
GPY_MATH_2(arctan2, atan2)

GPY_FN f32 power(f32 x, f32 y) { return ::powf(x, y); }
GPY_FN f64 power(f64 x, f64 y) { return ::pow(x, y); }
GPY_NARROW_2(power)
template <class T> GPY_FN T power(T x, T y) {
  if constexpr (Traits<T>::is_integer) return integer_power(x, y);
  else return complex_power(x, y);
}

// log(exp(x) + exp(y)) without overflow.
template <class T> GPY_FN T logaddexp(T x, T y) {
  if (x == y) return x + T(0.693147180559945309417232121458176568);
  const T difference = x - y;
  const bool is_first = difference > T(0);
  if (!is_first && !(difference <= T(0))) return difference;
  const T down = is_first ? -difference : difference;  // one call for both cases
  return (is_first ? x : y) + log1p(exp(down));
}
GPY_NARROW_2(logaddexp)
template <class T> GPY_FN T logaddexp2(T x, T y) {
  if (x == y) return x + T(1);
  const T log2e = T(1.442695040888963407359924681001892137);
  const T difference = x - y;
  const bool is_first = difference > T(0);
  if (!is_first && !(difference <= T(0))) return difference;
  const T down = is_first ? -difference : difference;
  return (is_first ? x : y) + log2e * log1p(exp2(down));
}
GPY_NARROW_2(logaddexp2)

template <class T> GPY_FN T angle(T x) { return x != x ? x : arctan2(T(0), x); }
GPY_NARROW_1(angle)
