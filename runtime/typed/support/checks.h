// What the interpreter's rules need to know before an operation: whether it might raise or warn.

#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)
template <class T> GPY_FN bool add_fits(T x, T y) {
  T result;
  return !__builtin_add_overflow(x, y, &result);
}
template <class T> GPY_FN bool subtract_fits(T x, T y) {
  T result;
  return !__builtin_sub_overflow(x, y, &result);
}
template <class T> GPY_FN bool sum_fits(T x, T y) {
  const T sum = add(x, y);
  if constexpr (Traits<T>::is_signed) return T((x ^ sum) & (y ^ sum)) >= T(0);
  else return sum >= x;
}
template <class T> GPY_FN bool difference_fits(T x, T y) {
  const T way = subtract(x, y);
  if constexpr (Traits<T>::is_signed) return T((x ^ y) & (x ^ way)) >= T(0);
  else return x >= y;
}
template <class T> GPY_FN bool multiply_fits(T x, T y) {
  T result;
  return !__builtin_mul_overflow(x, y, &result);
}
template <class T> GPY_FN bool divides(T x, T y) {
  if constexpr (Traits<T>::is_signed) return y != T(0) && !(y == T(-1) && x == lowest_int<T>());
  else return y != T(0);
}
template <class T> GPY_FN bool power_fits(T x, T y) {
  if (y < T(0)) return false;
  T result = T(1);
  for (u64 rest = u64(y); rest != 0; rest >>= 1) {
    if ((rest & 1) && __builtin_mul_overflow(result, x, &result)) return false;
    if (rest > 1 && __builtin_mul_overflow(x, x, &x)) return false;
  }
  return true;
}
template <class T> GPY_FN bool left_shift_fits(T x, T y) {
  if (y < T(0) || u64(y) >= sizeof(T) * 8 - 1) return x == T(0) && y >= T(0);
  return T(left_shift(x, y) >> y) == x;
}
template <class T> GPY_FN bool right_shift_fits(T, T y) { return y >= T(0); }
GPY_FN bool is_exact_float(i64 x) { return x >= -(1ll << 53) && x <= 1ll << 53; }
// Whether the quotient of the floats nearest to both is the float nearest to their quotient.
GPY_FN bool divides_exactly(i64 x, i64 y) {
  return y != 0 && is_exact_float(x) && is_exact_float(y);
}
// Whether no operation has gone beyond the numbers: is_finite by a float's comparison, which leaves
// it in its register.
GPY_FN bool is_settled(f64 x) { return __builtin_fabs(x) < __builtin_inf(); }
GPY_FN bool is_settled(f32 x) { return __builtin_fabsf(x) < __builtin_inff(); }
template <class F> GPY_FN bool is_settled(Complex<F> x) {
  return is_settled(x.re) && is_settled(x.im);
}
// Whether no step of divide(x, y) of complex numbers goes beyond the numbers, or has nothing left.
template <class F> GPY_FN bool divides_quietly(Complex<F> x, Complex<F> y) {
  const F much = sizeof(F) == 8 ? F(0x1p500) : F(0x1p60f), little = F(1) / much;
  const F a = magnitude(y.re), b = magnitude(y.im), divisor = a >= b ? a : b;
  return magnitude(x.re) <= much && magnitude(x.im) <= much && divisor <= much && divisor >= little;
}
// Whether power(x, y) of complex numbers is a product of x alone.
template <class F> GPY_FN bool is_product(Complex<F> y) {
  return y.im == F(0) && y.re >= F(0) && y.re < F(100) && y.re == F(i32(y.re));
}
GPY_FN bool is_int_sized(f64 x) { return x > -9.2e18 && x < 9.2e18; }
GPY_FN bool is_inside(i64 index, i64 extent) { return u64(index) < u64(extent); }
// Whether all items of a range are good indices once the offset is added to them.
GPY_FN bool range_is_inside(i64 first, i64 step, i64 rounds, i64 offset, i64 extent) {
  if (rounds <= 0) return true;
  i64 way, last;
  if (__builtin_mul_overflow(step, rounds - 1, &way) || __builtin_add_overflow(first, way, &last))
    return false;
  if (__builtin_add_overflow(first, offset, &first) || __builtin_add_overflow(last, offset, &last))
    return false;
  return is_inside(first, extent) && is_inside(last, extent);
}
template <class T, class U> GPY_FN bool same_number(T x, U y) {
  return T(y) == x && (x < T(0)) == (y < U(0));
}
// Whether another iteration may be run.
GPY_FN bool goes_on(i64 budget, i64 stop) { return budget >= 0 && !*(const volatile bool*)stop; }
// The same in a round of a loop that the budget is known to suffice for.
GPY_FN bool round_goes_on(i64 round, i64 stop) {
  return (round & 255) != 0 || !*(const volatile bool*)stop;
}
// What the loops of functions that a loop calls may run, and the flag that ends them.
static thread_local i64 callees_given, callees_left, callees_stop;
GPY_FN void begin_callees(i64 budget, i64 stop) {
  callees_given = callees_left = budget;
  callees_stop = stop;
}
GPY_FN bool callees_go_on() { return goes_on(--callees_left, callees_stop); }
GPY_FN i64 callees_used() { return callees_given - callees_left; }
#endif
