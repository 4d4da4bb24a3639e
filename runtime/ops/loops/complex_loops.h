#pragma once

// Products and magnitudes of complex numbers by vectors: the bits that the scalar functions give.

#include "runtime/ops/loops/tile.h"

namespace gpy::rt {
namespace {

#if defined(__FMA__)
template <class F> struct ComplexVector;
template <> struct ComplexVector<f64> {
  typedef __m256d Type;
  GPY_FN Type load(const f64* from) { return _mm256_loadu_pd(from); }
  GPY_FN void store(f64* to, Type value) { _mm256_storeu_pd(to, value); }
  GPY_FN Type product(Type x, Type y) {
    const Type parts = _mm256_mul_pd(_mm256_permute_pd(x, 15), _mm256_permute_pd(y, 5));
    return _mm256_fmaddsub_pd(_mm256_movedup_pd(x), y, parts);
  }
};
template <> struct ComplexVector<f32> {
  typedef __m256 Type;
  GPY_FN Type load(const f32* from) { return _mm256_loadu_ps(from); }
  GPY_FN void store(f32* to, Type value) { _mm256_storeu_ps(to, value); }
  GPY_FN Type product(Type x, Type y) {
    const Type parts = _mm256_mul_ps(_mm256_movehdup_ps(x), _mm256_permute_ps(y, 0xb1));
    return _mm256_fmaddsub_ps(_mm256_moveldup_ps(x), y, parts);
  }
};

template <class F> struct ComplexProducts {
  static void run(const void* const* in, void* out, int64_t count) {
    using V = ComplexVector<F>;
    constexpr int64_t kLanes = sizeof(typename V::Type) / sizeof(F);
    const F* x = static_cast<const F*>(in[0]);
    const F* y = static_cast<const F*>(in[1]);
    F* to = static_cast<F*>(out);
    int64_t i = 0;
    for (; i + kLanes <= 2 * count; i += kLanes) {
      V::store(to + i, V::product(V::load(x + i), V::load(y + i)));
    }
    for (; i < 2 * count; i += 2) {
      const Complex<F> product = multiply(Complex<F>(x[i], x[i + 1]), Complex<F>(y[i], y[i + 1]));
      to[i] = product.re;
      to[i + 1] = product.im;
    }
  }
};
#endif

// The length of a hypotenuse as C's hypot has it (C. F. Borges, An improved algorithm for hypot(a,
// b), 2019), where no square overflows or loses bits.
GPY_FN f64 plain_hypot(f64 x, f64 y) {
  const f64 a = x < y ? y : x, b = x < y ? x : y;
  const f64 h = __builtin_sqrt(a * a + b * b);
  const f64 from_b = h - b, from_a = h - a;
  const bool near = h <= 2.0 * b;
  const f64 first = near ? a * (2.0 * from_b - a) : 2.0 * from_a * (a - 2.0 * b);
  const f64 second =
      near ? (from_b - 2.0 * (a - b)) * from_b : (4.0 * from_a - b) * b + from_a * from_a;
  const f64 better = h - (first + second) / (h == 0.0 ? 1.0 : 2.0 * h);
  return b <= a * 0x1p-54 ? a + b : better;
}
GPY_FN bool is_plain(f64 leg) { return leg <= 0x1p511 && (leg >= 0x1p-459 || leg == 0.0); }

// Squares of float32 are exact in float64.
GPY_FN f32 plain_hypot(f32 x, f32 y) {
  return f32(__builtin_sqrt(f64(x) * f64(x) + f64(y) * f64(y)));
}
GPY_FN bool is_plain(f32 leg) { return leg <= 0x1p60f && (leg >= 0x1p-60f || leg == 0.0f); }

constexpr int64_t kHypotBlock = 256;

template <class F> void hypot_block(const F* x, const F* y, F* to, int64_t count) {
  int strange = 0;
  GPY_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) strange |= !is_plain(x[i]) | !is_plain(y[i]);
  if (strange) {
    for (int64_t i = 0; i < count; ++i) to[i] = hypot(x[i], y[i]);
    return;
  }
  GPY_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) to[i] = plain_hypot(x[i], y[i]);
}

template <class F> struct Magnitudes {
  static void run(const void* const* in, void* out, int64_t count) {
    const auto* z = static_cast<const Complex<F>*>(in[0]);
    F* to = static_cast<F*>(out);
    alignas(64) F re[kHypotBlock], im[kHypotBlock];
    for (int64_t at = 0; at < count; at += kHypotBlock) {
      const int64_t n = count - at < kHypotBlock ? count - at : kHypotBlock;
      for (int64_t i = 0; i < n; ++i) {
        re[i] = magnitude(z[at + i].re);
        im[i] = magnitude(z[at + i].im);
      }
      hypot_block(re, im, to + at, n);
    }
  }
};

}  // namespace
}  // namespace gpy::rt
