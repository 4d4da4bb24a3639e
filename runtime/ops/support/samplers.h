// Draws from distributions by the algorithms of numpy.random, for the generators of the host and,
// within an element's own block of bits, for those of devices.
//
// A sampler is made from a distribution's parameters and does then what all draws share.
// draw(bits) asks `bits` for uniform(), normal(), exponential() (with T() for the type of the
// result), interval(n) of 0 .. n, log_factorial(n), and more(): whether another attempt may be
// made. Where Bits::kFrozen, the steps are those of RandomState, which never change.

// log(gamma(x)) (S. Zhang, J. Jin, "Computation of Special Functions", 1996).
GPY_LONG_FN f64 log_gamma(f64 x) {
  if (x == 1.0 || x == 2.0 || !(x > 0)) return 0.0;
  i64 n = x < 7.0 ? i64(7 - x) : 0;
  f64 large = x + f64(n);
  f64 inverse = (1.0 / large) * (1.0 / large);
  f64 sum = -1.39243221690590e+00;
  sum = sum * inverse + 1.796443723688307e-01;
  sum = sum * inverse - 2.955065359477124e-02;
  sum = sum * inverse + 6.410256410256410e-03;
  sum = sum * inverse - 1.917526917526918e-03;
  sum = sum * inverse + 8.417508417508418e-04;
  sum = sum * inverse - 5.952380952380952e-04;
  sum = sum * inverse + 7.936507936507937e-04;
  sum = sum * inverse - 2.777777777777778e-03;
  sum = sum * inverse + 8.333333333333333e-02;
  f64 result = sum / large + 0.5 * 1.8378770664093453 + (large - 0.5) * ::log(large) - large;
  if (x < 7.0) {
    for (i64 k = 1; k <= n; ++k) {
      result -= ::log(large - 1.0);
      large -= 1.0;
    }
  }
  return result;
}

GPY_FN i64 least(i64 a, i64 b) { return a < b ? a : b; }

// Gamma of scale 1: G. Marsaglia, W. W. Tsang (2000) from shape 1 up, else J. H. Ahrens and
// U. Dieter's GS.
template <class T> struct StandardGamma {
  T shape, b, c;

  GPY_MEMBER explicit StandardGamma(T shape) : shape(shape), b(0), c(0) {
    if (!(shape > T(1))) return;
    b = shape - T(1) / T(3);
    c = T(1) / sqrt(T(9) * b);
  }

  template <class Bits> GPY_MEMBER T draw(Bits& bits) const {
    if (shape == T(1)) return bits.exponential(T());
    if (!(shape > T(0))) return shape;  // zero, or what is no number
    return shape < T(1) ? small(bits) : large(bits);
  }
  template <class Bits> GPY_MEMBER T small(Bits& bits) const {
    while (bits.more()) {
      T u = bits.uniform(T());
      T v = bits.exponential(T());
      if (u <= T(1) - shape) {
        T x = power(u, T(1) / shape);
        if (x <= v) return x;
      } else {
        T y = -log((T(1) - u) / shape);
        T x = power(T(1) - shape + shape * y, T(1) / shape);
        if (x <= v + y) return x;
      }
    }
    return T(0);
  }
  template <class Bits> GPY_MEMBER T large(Bits& bits) const {
    while (bits.more()) {
      T x, v;
      do {
        x = bits.normal(T());
        v = T(1) + c * x;
      } while (v <= T(0) && bits.more());
      v = v * v * v;
      T u = bits.uniform(T());
      if (u < T(1) - T(0.0331) * (x * x) * (x * x)) return b * v;
      if (log(u) < T(0.5) * x * x + b * (T(1) - v + log(v))) return b * v;
    }
    return b;
  }
};

template <class T> struct Gamma {
  StandardGamma<T> standard;
  T scale;
  GPY_MEMBER Gamma(T shape, T scale) : standard(shape), scale(scale) {}
  template <class Bits> GPY_MEMBER T draw(Bits& bits) const { return scale * standard.draw(bits); }
};

struct ChiSquare {
  StandardGamma<f64> half;
  GPY_MEMBER explicit ChiSquare(f64 df) : half(df / 2.0) {}
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const { return 2.0 * half.draw(bits); }
};

struct FRatio {
  ChiSquare above, below;
  f64 dfnum, dfden;
  GPY_MEMBER FRatio(f64 dfnum, f64 dfden)
      : above(dfnum), below(dfden), dfnum(dfnum), dfden(dfden) {}
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    f64 numerator = above.draw(bits) * dfden;
    f64 denominator = below.draw(bits) * dfnum;
    return numerator / denominator;
  }
};

// Two gammas, or where neither parameter is above 1, M. D. Joehnk's algorithm.
struct Beta {
  f64 a, b;
  StandardGamma<f64> first, second;
  GPY_MEMBER Beta(f64 a, f64 b) : a(a), b(b), first(a), second(b) {}

  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    if (a <= 1.0 && b <= 1.0) return joehnk(bits);
    f64 x = first.draw(bits);
    f64 y = second.draw(bits);
    return x / (x + y);
  }
  template <class Bits> GPY_MEMBER f64 joehnk(Bits& bits) const {
    constexpr f64 kTiny = 3e-103;
    if (!Bits::kFrozen && a < kTiny && b < kTiny) return (a + b) * bits.uniform(0.0) < a;
    while (bits.more()) {
      f64 u = bits.uniform(0.0);
      f64 v = bits.uniform(0.0);
      f64 x = ::pow(u, 1.0 / a);
      f64 y = ::pow(v, 1.0 / b);
      if (!(x + y <= 1.0)) continue;
      if (Bits::kFrozen) {
        if (x + y > 0) return x / (x + y);
        return frozen_ratio(::log(u) / a, ::log(v) / b);
      }
      if (!(u + v > 0.0)) continue;
      if (x > 0 && y > 0) return x / (x + y);
      return ratio(::log(u) / a, ::log(v) / b);
    }
    return a / (a + b);
  }
  // x / (x + y) from the logarithms.
  static GPY_MEMBER f64 ratio(f64 log_x, f64 log_y) {
    f64 difference = log_x - log_y;
    if (difference > 0) return ::exp(-::log1p(::exp(-difference)));
    return ::exp(difference - ::log1p(::exp(difference)));
  }
  static GPY_MEMBER f64 frozen_ratio(f64 log_x, f64 log_y) {
    f64 larger = log_x > log_y ? log_x : log_y;
    log_x -= larger;
    log_y -= larger;
    return ::exp(log_x - ::log(::exp(log_x) + ::exp(log_y)));
  }
};

struct StandardCauchy {
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    f64 x = bits.normal(0.0);
    return x / bits.normal(0.0);
  }
};

struct StandardT {
  f64 df;
  StandardGamma<f64> half;
  GPY_MEMBER explicit StandardT(f64 df) : df(df), half(df / 2) {}
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    f64 x = bits.normal(0.0);
    f64 y = half.draw(bits);
    return ::sqrt(df / 2) * x / ::sqrt(y);
  }
};

// The simple ones: a function of one draw or two.
struct Normal {
  f64 loc, scale;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    return loc + scale * bits.normal(0.0);
  }
};
struct LogNormal {
  f64 mean, sigma;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    return ::exp(mean + sigma * bits.normal(0.0));
  }
};
struct Exponential {
  f64 scale;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    return scale * bits.exponential(0.0);
  }
};
struct Uniform {
  f64 low, range;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    return low + range * bits.uniform(0.0);
  }
};
struct Pareto {
  f64 a;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    f64 x = bits.exponential(0.0) / a;
    return Bits::kFrozen ? ::exp(x) - 1 : ::expm1(x);
  }
};
struct Weibull {
  f64 a;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    return a == 0.0 ? 0.0 : ::pow(bits.exponential(0.0), 1. / a);
  }
};
struct Power {
  f64 a;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    f64 x = -bits.exponential(0.0);
    return ::pow(Bits::kFrozen ? 1 - ::exp(x) : -::expm1(x), 1. / a);
  }
};
struct Rayleigh {
  f64 mode;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    if (Bits::kFrozen) return mode * ::sqrt(-2.0 * ::log1p(-bits.uniform(0.0)));
    return mode * ::sqrt(2.0 * bits.exponential(0.0));
  }
};
struct Laplace {
  f64 loc, scale;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    while (bits.more()) {
      f64 u = bits.uniform(0.0);
      if (u >= 0.5) return loc - scale * ::log(2.0 - u - u);
      if (u > 0.0) return loc + scale * ::log(u + u);
    }
    return loc;
  }
};
struct Gumbel {
  f64 loc, scale;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    while (bits.more()) {
      f64 u = 1.0 - bits.uniform(0.0);
      if (u < 1.0) return loc - scale * ::log(-::log(u));
    }
    return loc;
  }
};
struct Logistic {
  f64 loc, scale;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    while (bits.more()) {
      f64 u = bits.uniform(0.0);
      if (u > 0.0) return loc + scale * ::log(u / (1.0 - u));
    }
    return loc;
  }
};
struct Triangular {
  f64 left, mode, right;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    f64 base = right - left;
    f64 left_base = mode - left;
    f64 u = bits.uniform(0.0);
    if (u <= left_base / base) return left + ::sqrt(u * (left_base * base));
    return right - ::sqrt((1.0 - u) * ((right - mode) * base));
  }
};

// The inverse Gaussian: J. R. Michael, W. R. Schucany, R. W. Haas (1976).
struct Wald {
  f64 mean, scale;
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    f64 y = bits.normal(0.0);
    f64 x = Bits::kFrozen ? frozen_root(mean * y * y) : root(mean * y * y);
    f64 u = bits.uniform(0.0);
    return u <= mean / (mean + x) ? x : mean * mean / x;
  }
  GPY_MEMBER f64 root(f64 y) const {
    f64 d = 1.0 + ::sqrt(1.0 + 4 * scale / y);
    return mean * (1.0 - 2.0 / d);
  }
  GPY_MEMBER f64 frozen_root(f64 y) const {
    return mean + mean / (2 * scale) * (y - ::sqrt(4 * scale * y + y * y));
  }
};

// D. J. Best, N. I. Fisher (1979).
struct VonMises {
  static constexpr f64 kPi = 3.14159265358979323846;
  f64 mu, kappa, s;

  GPY_MEMBER VonMises(f64 mu, f64 kappa) : mu(mu), kappa(kappa), s(0) {
    if (kappa < 1e-5) {
      s = 1. / kappa + kappa;
      return;
    }
    f64 r = 1 + ::sqrt(1 + 4 * kappa * kappa);
    f64 rho = (r - ::sqrt(2 * r)) / (2 * kappa);
    s = (1 + rho * rho) / (2 * rho);
  }

  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    if (kappa != kappa) return kappa;
    if (kappa < 1e-8) return kPi * (2 * bits.uniform(0.0) - 1);
    if (!Bits::kFrozen && kappa > 1e6) return wrapped_normal(bits);
    f64 w = cosine(bits);
    f64 result = bits.uniform(0.0) < 0.5 ? -::acos(w) : ::acos(w);
    result += mu;
    f64 size = ::fmod(::fabs(result) + kPi, 2 * kPi) - kPi;
    return result < 0 ? -size : size;
  }
  template <class Bits> GPY_MEMBER f64 cosine(Bits& bits) const {
    f64 w = 1;
    while (bits.more()) {
      f64 z = ::cos(kPi * bits.uniform(0.0));
      w = (1 + s * z) / (s + z);
      f64 y = kappa * (s - w);
      f64 v = bits.uniform(0.0);
      if (y * (2 - y) - v >= 0 || ::log(y / v) + 1 - y >= 0) break;
    }
    return w;
  }
  template <class Bits> GPY_MEMBER f64 wrapped_normal(Bits& bits) const {
    f64 result = mu + ::sqrt(1. / kappa) * bits.normal(0.0);
    if (result < -kPi) result += 2 * kPi;
    if (result > kPi) result -= 2 * kPi;
    return result;
  }
};

// Products of uniforms below 10, else W. Hoermann's PTRS (1993).
struct Poisson {
  f64 lam;
  f64 a, b, log_lam, log_inverse_alpha, v_r;  // below 10: `a` is exp(-lam)

  GPY_MEMBER explicit Poisson(f64 lam) : lam(lam) {
    if (!(lam >= 10)) {
      a = ::exp(-lam);
      return;
    }
    b = 0.931 + 2.53 * ::sqrt(lam);
    a = -0.059 + 0.02483 * b;
    log_lam = ::log(lam);
    log_inverse_alpha = ::log(1.1239 + 1.1328 / (b - 3.4));
    v_r = 0.9277 - 3.6224 / (b - 2);
  }

  template <class Bits> GPY_MEMBER i64 draw(Bits& bits) const {
    if (lam >= 10) return large(bits);
    return lam == 0 ? 0 : small(bits);
  }
  template <class Bits> GPY_MEMBER i64 small(Bits& bits) const {
    i64 x = 0;
    for (f64 product = bits.uniform(0.0); product > a && bits.more();
         product *= bits.uniform(0.0)) {
      ++x;
    }
    return x;
  }
  template <class Bits> GPY_MEMBER i64 large(Bits& bits) const {
    while (bits.more()) {
      f64 u = bits.uniform(0.0) - 0.5;
      f64 v = bits.uniform(0.0);
      f64 us = 0.5 - ::fabs(u);
      f64 k = ::floor((2 * a / us + b) * u + lam + 0.43);
      if (us >= 0.07 && v <= v_r) return i64(k);
      if (k < 0 || (us < 0.013 && v > us)) continue;
      f64 chance = -lam + k * log_lam - log_gamma(k + 1);
      if (::log(v) + log_inverse_alpha - ::log(a / (us * us) + b) <= chance) return i64(k);
    }
    return i64(lam);
  }
};

struct NegativeBinomial {
  Gamma<f64> rate;
  GPY_MEMBER NegativeBinomial(f64 n, f64 p) : rate(n, (1 - p) / p) {}
  template <class Bits> GPY_MEMBER i64 draw(Bits& bits) const {
    return Poisson(rate.draw(bits)).draw(bits);
  }
};

struct NoncentralChiSquare {
  f64 df, nonc;
  ChiSquare central, less;
  GPY_MEMBER NoncentralChiSquare(f64 df, f64 nonc)
      : df(df), nonc(nonc), central(df), less(df - 1) {}
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    if (!Bits::kFrozen && nonc != nonc) return nonc;
    if (nonc == 0) return central.draw(bits);
    if (1 < df) {
      f64 x = less.draw(bits);
      f64 n = bits.normal(0.0) + ::sqrt(nonc);
      return x + n * n;
    }
    i64 i = Poisson(nonc / 2.0).draw(bits);
    f64 x = ChiSquare(df + f64(2 * i)).draw(bits);
    return nonc != nonc ? nonc : x;
  }
};

struct NoncentralF {
  NoncentralChiSquare above;
  ChiSquare below;
  f64 dfnum, dfden;
  GPY_MEMBER NoncentralF(f64 dfnum, f64 dfden, f64 nonc)
      : above(dfnum, nonc), below(dfden), dfnum(dfnum), dfden(dfden) {}
  template <class Bits> GPY_MEMBER f64 draw(Bits& bits) const {
    f64 t = above.draw(bits) * dfden;
    return t / (below.draw(bits) * dfnum);
  }
};

// The inversion of a search where few successes are expected, else V. Kachitvichyanukul and
// B. W. Schmeiser's BTPE (1988), whose names the constants have.
struct Binomial {
  i64 n, m;
  f64 given, p;  // p is the smaller of `given` and 1 - given
  bool searched;
  f64 q, qn;
  f64 r, p1, xm, xl, xr, c, laml, lamr, p2, p3, p4;

  GPY_MEMBER Binomial(i64 n, f64 chance) : n(n), m(0), given(chance), searched(true) {
    p = chance <= 0.5 ? chance : 1.0 - chance;
    searched = p * f64(n) <= 30.0;
    if (searched) begin_search();
    else begin_btpe();
  }
  GPY_MEMBER void begin_search() {
    q = 1.0 - p;
    qn = ::exp(f64(n) * ::log(q));
    f64 mean = f64(n) * p;
    f64 bound = mean + 10.0 * ::sqrt(mean * q + 1);
    m = f64(n) < bound ? n : i64(bound);
  }
  GPY_MEMBER void begin_btpe() {
    r = p < 1.0 - p ? p : 1.0 - p;
    q = 1.0 - r;
    f64 fm = f64(n) * r + r;
    m = i64(::floor(fm));
    p1 = ::floor(2.195 * ::sqrt(f64(n) * r * q) - 4.6 * q) + 0.5;
    xm = f64(m) + 0.5;
    xl = xm - p1;
    xr = xm + p1;
    c = 0.134 + 20.5 / (15.3 + f64(m));
    f64 a = (fm - xl) / (fm - xl * r);
    laml = a * (1.0 + a / 2.0);
    a = (xr - fm) / (xr * q);
    lamr = a * (1.0 + a / 2.0);
    p2 = p1 * (1.0 + 2.0 * c);
    p3 = p2 + c / laml;
    p4 = p3 + c / lamr;
  }

  template <class Bits> GPY_MEMBER i64 draw(Bits& bits) const {
    if (!Bits::kFrozen && (n == 0 || given == 0.0)) return 0;
    i64 x = searched ? search(bits) : btpe(bits);
    return given <= 0.5 ? x : n - x;
  }
  template <class Bits> GPY_MEMBER i64 search(Bits& bits) const {
    i64 x = 0;
    f64 px = qn;
    f64 u = bits.uniform(0.0);
    while (u > px) {
      if (++x > m) {
        if (!bits.more()) return 0;
        x = 0;
        px = qn;
        u = bits.uniform(0.0);
      } else {
        u -= px;
        px = (f64(n - x + 1) * p * px) / (f64(x) * q);
      }
    }
    return x;
  }
  template <class Bits> GPY_MEMBER i64 btpe(Bits& bits) const {
    while (bits.more()) {
      f64 u = bits.uniform(0.0) * p4;
      f64 v = bits.uniform(0.0);
      if (u <= p1) return i64(::floor(xm - p1 * v + u));
      i64 y;
      if (u <= p2) {
        f64 x = xl + (u - p1) / c;
        v = v * c + 1.0 - ::fabs(f64(m) - x + 0.5) / p1;
        if (v > 1.0) continue;
        y = i64(::floor(x));
      } else if (u <= p3) {
        if (v == 0.0) continue;
        y = i64(::floor(xl + ::log(v) / laml));
        if (y < 0) continue;
        v = v * (u - p2) * laml;
      } else {
        if (v == 0.0) continue;
        y = i64(::floor(xr - ::log(v) / lamr));
        if (y > n) continue;
        v = v * (u - p3) * lamr;
      }
      if (is_accepted(y, v)) return y;
    }
    return m;
  }
  GPY_MEMBER bool is_accepted(i64 y, f64 v) const {
    f64 nrq = f64(n) * r * q;
    i64 k = y > m ? y - m : m - y;
    if (k <= 20 || f64(k) >= nrq / 2.0 - 1) return !(v > exact_ratio(y));
    f64 distance = f64(k);
    f64 rho = (distance / nrq) *
              ((distance * (distance / 3.0 + 0.625) + 0.16666666666666666) / nrq + 0.5);
    f64 t = f64(-k * k) / (2 * nrq);
    f64 a = ::log(v);
    if (a < t - rho) return true;
    if (a > t + rho) return false;
    return !(a > stirling(y));
  }
  // The chance of y over that of m.
  GPY_MEMBER f64 exact_ratio(i64 y) const {
    f64 s = r / q;
    f64 a = s * f64(n + 1);
    f64 ratio = 1.0;
    for (i64 i = m + 1; i <= y; ++i) ratio *= a / f64(i) - s;
    for (i64 i = y + 1; i <= m; ++i) ratio /= a / f64(i) - s;
    return ratio;
  }
  GPY_MEMBER f64 stirling(i64 y) const {
    f64 x1 = f64(y + 1);
    f64 f1 = f64(m + 1);
    f64 z = f64(n + 1 - m);
    f64 w = f64(n - y + 1);
    return xm * ::log(f1 / x1) + (f64(n - m) + 0.5) * ::log(z / w) +
           f64(y - m) * ::log(w * r / (x1 * q)) + tail(f1) + tail(z) + tail(x1) + tail(w);
  }
  static GPY_MEMBER f64 tail(f64 x) {
    f64 xx = x * x;
    return (13680. - (462. - (132. - (99. - 140. / xx) / xx) / xx) / xx) / x / 166320.;
  }
};

struct Geometric {
  f64 p;
  template <class Bits> GPY_MEMBER i64 draw(Bits& bits) const {
    if (p >= 0.333333333333333333333333) return search(bits);
    if (Bits::kFrozen) return i64(::ceil(::log1p(-bits.uniform(0.0)) / ::log(1 - p)));
    f64 z = ::ceil(-bits.exponential(0.0) / ::log1p(-p));
    return z >= 9.223372036854776e+18 ? 9223372036854775807LL : i64(z);
  }
  template <class Bits> GPY_MEMBER i64 search(Bits& bits) const {
    i64 x = 1;
    f64 sum = p, product = p, q = 1.0 - p;
    f64 u = bits.uniform(0.0);
    // Once nothing is added any more, the sum is 1 but for rounding.
    while (u > sum && product > 0) {
      product *= q;
      sum += product;
      ++x;
    }
    return x;
  }
};

// A. W. Kemp's second algorithm (1981).
struct LogSeries {
  f64 p;
  template <class Bits> GPY_MEMBER i64 draw(Bits& bits) const {
    f64 r = Bits::kFrozen ? ::log(1.0 - p) : ::log1p(-p);
    while (bits.more()) {
      f64 v = bits.uniform(0.0);
      if (v >= p) return 1;
      f64 u = bits.uniform(0.0);
      f64 q = Bits::kFrozen ? 1.0 - ::exp(r * u) : -::expm1(r * u);
      if (v > q * q) return v >= q ? 1 : 2;
      f64 result = ::floor(1 + ::log(v) / ::log(q));
      if (result >= 1 && v != 0.0) return result < 9.2e18 ? i64(result) : 9223372036854775807LL;
    }
    return 1;
  }
};

// L. Devroye's rejection (1986), without what an int64 cannot hold.
struct Zipf {
  f64 a;
  template <class Bits> GPY_MEMBER i64 draw(Bits& bits) const {
    constexpr f64 kLargest = 9223372036854775807.0;
    if (!Bits::kFrozen && a >= 1025) return 1;
    f64 am1 = a - 1.0;
    f64 b = ::pow(2.0, am1);
    f64 least_u = Bits::kFrozen ? 0 : ::pow(kLargest, -am1);
    while (bits.more()) {
      f64 u = bits.uniform(0.0);
      u = Bits::kFrozen ? 1.0 - u : u * least_u + (1.0 - u);
      f64 v = bits.uniform(0.0);
      f64 x = ::floor(::pow(u, -1.0 / am1));
      if (x > kLargest || x < 1.0) continue;
      f64 t = ::pow(1.0 + 1.0 / x, am1);
      if (v * x * (t - 1.0) / (b - 1.0) <= t / b) {
        return x < kLargest ? i64(x) : 9223372036854775807LL;
      }
    }
    return 1;
  }
};

// E. Stadlober's HRUA (1989), whose names the constants have, or an urn where few are drawn.
struct Hypergeometric {
  i64 good, bad, sample;
  template <class Bits> GPY_MEMBER i64 draw(Bits& bits) const {
    if (Bits::kFrozen) return frozen(bits);
    if (sample >= 10 && sample <= good + bad - 10) return hrua(bits);
    return urn(bits);
  }
  template <class Bits> GPY_MEMBER i64 frozen(Bits& bits) const {
    if (sample > 10) return hrua(bits);
    return sample > 0 ? frozen_urn(bits) : 0;
  }
  template <class Bits> GPY_MEMBER i64 urn(Bits& bits) const {
    i64 total = good + bad;
    bool rest = sample > total / 2;  // what is not drawn is less
    i64 left = rest ? total - sample : sample;
    i64 still_good = good;
    while (left > 0 && still_good > 0 && total > still_good) {
      --total;
      if (i64(bits.interval(u64(total))) < still_good) --still_good;
      --left;
    }
    if (total == still_good) still_good -= left;
    return rest ? still_good : good - still_good;
  }
  template <class Bits> GPY_MEMBER i64 frozen_urn(Bits& bits) const {
    i64 others = bad + good - sample;
    f64 fewer = f64(least(bad, good));
    f64 y = fewer;
    for (i64 k = sample; y > 0.0 && k > 0; --k) {
      y -= f64(i64(::floor(bits.uniform(0.0) + y / f64(others + k))));
    }
    i64 z = i64(fewer - y);
    return good > bad ? sample - z : z;
  }
  template <class Bits> GPY_MEMBER i64 hrua(Bits& bits) const {
    i64 total = good + bad;
    i64 fewer = least(good, bad), more = total - fewer;
    i64 m = least(sample, total - sample);
    f64 p = f64(fewer) / f64(total);
    f64 q = Bits::kFrozen ? 1.0 - p : f64(more) / f64(total);
    f64 a = f64(m) * p + 0.5;
    f64 variance = f64(total - m) * f64(Bits::kFrozen ? sample : m) * p * q / f64(total - 1);
    f64 c = ::sqrt(variance + 0.5);
    f64 h = 1.7155277699214135 * c + 0.8989161620588988;  // 2 sqrt(2 / e), 3 - 2 sqrt(3 / e)
    i64 mode = i64(::floor(f64(m + 1) * f64(fewer + 1) / f64(total + 2)));
    auto weight = [&](i64 k) {
      return bits.log_factorial(k) + bits.log_factorial(fewer - k) + bits.log_factorial(m - k) +
             bits.log_factorial(more - m + k);
    };
    f64 g = weight(mode);
    f64 end = f64(least(m, fewer) + 1), far = ::floor(a + 16 * c);
    if (far < end) end = far;
    i64 k = mode;
    while (bits.more()) {
      f64 u = bits.uniform(0.0);
      f64 v = bits.uniform(0.0);
      f64 x = a + h * (v - 0.5) / u;
      if (x < 0.0 || x >= end) continue;
      k = i64(::floor(x));
      f64 t = g - weight(k);
      if (u * (4.0 - u) - 3.0 <= t) break;
      if (u * (u - t) >= 1) continue;
      if (2.0 * ::log(u) <= t) break;
    }
    if (good > bad) k = m - k;
    return m < sample ? good - k : k;
  }
};
