#pragma once

// Elementary functions of float32 and float64 by libmvec, whose results do not depend on where in
// an array an element stands: a tail is padded and goes through the vector function too.
//
// Vector functions raise flags for lanes that need none. So the flags are put back, and where a
// result is zero, subnormal, infinite or a NaN, the scalar function is asked to raise what is due.

#include "runtime/ops/loops/tile.h"

#if defined(__AVX512F__)
#define GPY_VECTOR_NAME(name, parts) _ZGVeN8##parts##_##name
#define GPY_VECTOR_NAME_F(name, parts) _ZGVeN16##parts##_##name##f
#elif defined(__AVX2__)
#define GPY_VECTOR_NAME(name, parts) _ZGVdN4##parts##_##name
#define GPY_VECTOR_NAME_F(name, parts) _ZGVdN8##parts##_##name##f
#else
#define GPY_VECTOR_NAME(name, parts) _ZGVbN2##parts##_##name
#define GPY_VECTOR_NAME_F(name, parts) _ZGVbN4##parts##_##name##f
#endif

namespace gpy::rt {
namespace {

#if defined(__AVX512F__)
typedef __m512d Doubles;
typedef __m512 Floats;
#elif defined(__AVX2__)
typedef __m256d Doubles;
typedef __m256 Floats;
#else
typedef __m128d Doubles;
typedef __m128 Floats;
#endif

template <class F> struct VectorOf { typedef Doubles Type; };
template <> struct VectorOf<f32> { typedef Floats Type; };

// 1 for zeros, subnormals, infinities and NaNs, else 0. A number, so that looking at many
// vectorises.
GPY_FN u64 remarkable(f64 x) {
  return ((double_bits(x) & 0x7ff0000000000000ull) - 0x0010000000000000ull) >=
         0x7fe0000000000000ull;
}
GPY_FN u32 remarkable(f32 x) {
  return ((float_bits(x) & 0x7f800000u) - 0x00800000u) >= 0x7f000000u;
}

constexpr int64_t kVectorBlock = 256;

template <class Op, class F, auto function> struct VectorMap {
  using Vector = typename VectorOf<F>::Type;
  static constexpr int64_t kLanes = sizeof(Vector) / sizeof(F);

  static void one(const F* x, const F* y, F* out) {
    Vector a, b, result;
    __builtin_memcpy(&a, x, sizeof(a));
    if constexpr (Op::arity == 1) {
      result = function(a);
    } else {
      __builtin_memcpy(&b, y, sizeof(b));
      result = function(a, b);
    }
    __builtin_memcpy(out, &result, sizeof(result));
  }

  static void tail(const F* x, const F* y, F* out, int64_t count) {
    F a[kLanes], b[kLanes], result[kLanes];
    for (int64_t i = 0; i < kLanes; ++i) {
      a[i] = x[i < count ? i : 0];
      b[i] = y[i < count ? i : 0];
    }
    one(a, b, result);
    for (int64_t i = 0; i < count; ++i) out[i] = result[i];
  }

  [[gnu::noinline]] static void raise_events(const F* x, const F* y, const F* out, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      if (!remarkable(out[i])) continue;
      volatile F raised = Op::template call<F, F>(x[i], y[i], y[i]);
      static_cast<void>(raised);
    }
  }

  static void run(const void* const* in, void* out, int64_t count) {
    const F* x = static_cast<const F*>(in[0]);
    const F* y = Op::arity == 1 ? x : static_cast<const F*>(in[1]);
    F* result = static_cast<F*>(out);
    unsigned state = _mm_getcsr();
    F kept[2][kVectorBlock];
    for (int64_t at = 0; at < count; at += kVectorBlock) {
      const int64_t n = count - at < kVectorBlock ? count - at : kVectorBlock;
      const F* a = x + at;
      const F* b = y + at;
      F* to = result + at;
      const bool over_a = to == a, over_b = to == b;
      if (over_a) a = static_cast<const F*>(__builtin_memcpy(kept[0], a, n * sizeof(F)));
      if (over_b)
        b = over_a ? a : static_cast<const F*>(__builtin_memcpy(kept[1], b, n * sizeof(F)));
      int64_t i = 0;
      for (; i + kLanes <= n; i += kLanes) one(a + i, b + i, to + i);
      if (i < n) tail(a + i, b + i, to + i, n - i);
      _mm_setcsr(state);
      auto found = remarkable(to[0]);
      for (i = 1; i < n; ++i) found |= remarkable(to[i]);
      if (!found) continue;
      raise_events(a, b, to, n);
      state = _mm_getcsr();
    }
  }
};

}  // namespace
}  // namespace gpy::rt

// float32 and float64 of the row `name` by libmvec's `function`.
#define GPY_VECTOR_1(name, function)                        \
  extern "C" Doubles GPY_VECTOR_NAME(function, v)(Doubles); \
  extern "C" Floats GPY_VECTOR_NAME_F(function, v)(Floats); \
  GPY_VECTOR_LOOPS(name, GPY_VECTOR_NAME(function, v), GPY_VECTOR_NAME_F(function, v))
#define GPY_VECTOR_2(name, function)                                  \
  extern "C" Doubles GPY_VECTOR_NAME(function, vv)(Doubles, Doubles); \
  extern "C" Floats GPY_VECTOR_NAME_F(function, vv)(Floats, Floats);  \
  GPY_VECTOR_LOOPS(name, GPY_VECTOR_NAME(function, vv), GPY_VECTOR_NAME_F(function, vv))
#define GPY_VECTOR_LOOPS(name, doubles, floats)      \
  template <> struct Special<op_##name, f64> {       \
    static constexpr bool exists = true;             \
    using Loop = VectorMap<op_##name, f64, doubles>; \
  };                                                 \
  template <> struct Special<op_##name, f32> {       \
    static constexpr bool exists = true;             \
    using Loop = VectorMap<op_##name, f32, floats>;  \
  };
