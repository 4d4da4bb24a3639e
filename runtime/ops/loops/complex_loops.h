#pragma once

// Products and magnitudes of complex numbers by vectors: the bits that the scalar functions give.

#include "runtime/ops/loops/hypot_blocks.h"
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

template <class F> struct Magnitudes {
  static void run(const void* const* in, void* out, int64_t count) {
    const auto* z = static_cast<const Complex<F>*>(in[0]);
    F* to = static_cast<F*>(out);
    constexpr int64_t kHypotBlock = GPY_ISA::kHypotBlock;
    alignas(64) F re[kHypotBlock], im[kHypotBlock];
    for (int64_t at = 0; at < count; at += kHypotBlock) {
      const int64_t n = count - at < kHypotBlock ? count - at : kHypotBlock;
      for (int64_t i = 0; i < n; ++i) {
        re[i] = magnitude(z[at + i].re);
        im[i] = magnitude(z[at + i].im);
      }
      GPY_ISA::hypot_block(re, im, to + at, n);
    }
  }
};

}  // namespace
}  // namespace gpy::rt
