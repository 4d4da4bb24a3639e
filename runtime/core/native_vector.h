#pragma once

// Vectors as wide as the registers of the instruction set that a file is compiled for. For loops
// that are compiled once for each: all has internal linkage.

#include <immintrin.h>

namespace gpy::rt {
namespace {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

// A whole register of T, or so many bytes of it: gcc keeps wider vectors in memory. Loads and
// stores need not be aligned. A memcpy would move halves, for which a later load of the whole has
// to wait.
template <class T, int bytes = kVectorBytes> struct NativeVector {
  static constexpr int kEach = bytes / sizeof(T);
  typedef T Type __attribute__((vector_size(bytes)));
  typedef T Anywhere __attribute__((vector_size(bytes), aligned(sizeof(T)), may_alias));
  using Truth = decltype(Type{} == Type{});

  [[gnu::always_inline]] static Type at(const T* from) {
    return *reinterpret_cast<const Anywhere*>(from);
  }
  [[gnu::always_inline]] static void put(const Type& vector, T* to) {
    *reinterpret_cast<Anywhere*>(to) = vector;
  }
};

// Whether a comparison of whole registers holds in any lane.
template <class V> [[gnu::always_inline]] inline bool any(const V& truth) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask((__m512i)truth, (__m512i)truth) != 0;
#elif defined(__AVX2__)
  return !_mm256_testz_si256((__m256i)truth, (__m256i)truth);
#else
  return _mm_movemask_epi8((__m128i)truth) != 0;
#endif
}

// A bit for each byte of a comparison's truth, of a whole register or less.
template <class V>
[[gnu::always_inline]] inline unsigned long long lane_bytes([[maybe_unused]] const V& truth) {
  if constexpr (sizeof(V) == 16) return unsigned(_mm_movemask_epi8((__m128i)truth));
#if defined(__AVX2__)
  if constexpr (sizeof(V) == 32) return unsigned(_mm256_movemask_epi8((__m256i)truth));
#endif
#if defined(__AVX512BW__)
  if constexpr (sizeof(V) == 64) return _mm512_movepi8_mask((__m512i)truth);
#endif
}

}  // namespace
}  // namespace gpy::rt
