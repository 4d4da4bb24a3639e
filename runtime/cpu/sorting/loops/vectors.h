#pragma once

// Vectors of keys, and how their lanes are chosen and ordered.

#include <cstdint>

#include "runtime/core/native_vector.h"

namespace gpy::rt {
namespace {

template <class Key> constexpr int kLanes = NativeVector<Key>::kEach;
template <class Key> using Vector = typename NativeVector<Key>::Type;

#define GPY_INLINE [[gnu::always_inline]] inline

template <class Key> GPY_INLINE void load(Vector<Key>& vector, const Key* from) {
  vector = NativeVector<Key>::at(from);
}
template <class Key> GPY_INLINE void store(const Vector<Key>& vector, Key* to) {
  NativeVector<Key>::put(vector, to);
}

#if defined(__AVX512F__)

// A bit for each lane that is less than the pivot.
GPY_INLINE unsigned lanes_below(const Vector<int64_t>& v, const Vector<int64_t>& pivot) {
  return _mm512_cmplt_epi64_mask((__m512i)v, (__m512i)pivot);
}
GPY_INLINE unsigned lanes_below(const Vector<int32_t>& v, const Vector<int32_t>& pivot) {
  return _mm512_cmplt_epi32_mask((__m512i)v, (__m512i)pivot);
}
// Writes the lanes of `mask` from `to` on, and others behind them; there is room for kLanes.
GPY_INLINE void put_up(const Vector<int64_t>& v, unsigned mask, int64_t* to) {
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi64(mask, (__m512i)v));
}
GPY_INLINE void put_up(const Vector<int32_t>& v, unsigned mask, int32_t* to) {
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(mask, (__m512i)v));
}
// Writes the `count` lanes of `mask`, and nothing else.
GPY_INLINE void put(const Vector<int64_t>& v, unsigned mask, int count, int64_t* to) {
  _mm512_mask_storeu_epi64(to, (1u << count) - 1, _mm512_maskz_compress_epi64(mask, (__m512i)v));
}
GPY_INLINE void put(const Vector<int32_t>& v, unsigned mask, int count, int32_t* to) {
  _mm512_mask_storeu_epi32(to, (1u << count) - 1, _mm512_maskz_compress_epi32(mask, (__m512i)v));
}

#elif defined(__AVX2__)

GPY_INLINE unsigned lanes_below(const Vector<int64_t>& v, const Vector<int64_t>& pivot) {
  return _mm256_movemask_pd((__m256d)_mm256_cmpgt_epi64((__m256i)pivot, (__m256i)v));
}
GPY_INLINE unsigned lanes_below(const Vector<int32_t>& v, const Vector<int32_t>& pivot) {
  return _mm256_movemask_ps((__m256)_mm256_cmpgt_epi32((__m256i)pivot, (__m256i)v));
}

// The orders of lanes: a mask's lanes first, then the others, as numbers of 32-bit lanes.
template <int kLaneCount> struct LaneOrders {
  alignas(32) uint8_t of[1 << kLaneCount][8];
  constexpr LaneOrders() : of{} {
    constexpr int kWords = 8 / kLaneCount;
    for (int mask = 0; mask < 1 << kLaneCount; ++mask) {
      int next = 0;
      for (int wanted = 1; wanted >= 0; --wanted) {
        for (int lane = 0; lane < kLaneCount; ++lane) {
          if ((mask >> lane & 1) != wanted) continue;
          for (int word = 0; word < kWords; ++word) {
            of[mask][next++] = static_cast<uint8_t>(lane * kWords + word);
          }
        }
      }
    }
  }
};
template <int kLaneCount> constexpr LaneOrders<kLaneCount> kLaneOrders;

// The vector with the lanes of `mask` first.
template <class Key> GPY_INLINE __m256i ordered(const Vector<Key>& v, unsigned mask) {
  const __m128i order = _mm_loadl_epi64((const __m128i*)kLaneOrders<kLanes<Key> >.of[mask]);
  return _mm256_permutevar8x32_epi32((__m256i)v, _mm256_cvtepu8_epi32(order));
}

#endif

}  // namespace
}  // namespace gpy::rt
