#pragma once

// Selection by flags. 64 flags become the bits of a word; the chosen ones of its elements are
// packed together in registers.

#include "runtime/cpu/sorting/loops/vectors.h"

namespace gpy::rt {
namespace {

#if defined(__AVX512BW__)
GPY_INLINE uint64_t flag_bits(const uint8_t* flags) {
  const __m512i bytes = _mm512_loadu_si512(flags);
  return _mm512_test_epi8_mask(bytes, bytes);
}
#elif defined(__AVX2__)
GPY_INLINE uint64_t flag_bits(const uint8_t* flags) {
  const __m256i zero = _mm256_setzero_si256();
  uint32_t unset[2];
  for (int i = 0; i < 2; ++i) {
    const __m256i bytes = _mm256_loadu_si256((const __m256i*)(flags + 32 * i));
    unset[i] = _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, zero));
  }
  return ~(uint64_t{unset[1]} << 32 | unset[0]);
}
#else
GPY_INLINE uint64_t flag_bits(const uint8_t* flags) {
  uint64_t bits = 0;
  for (int i = 0; i < 64; i += 8) {
    uint64_t eight;
    __builtin_memcpy(&eight, flags + i, 8);
    constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
    eight = (((eight & kLow) + kLow) | eight) >> 7 & 0x0101010101010101;
    bits |= (eight * 0x0102040810204080 >> 56) << i;  // byte k of eight becomes bit k
  }
  return bits;
}
#endif

// The last flags, fewer than 64.
inline uint64_t last_flag_bits(const uint8_t* flags, int64_t count) {
  uint64_t bits = 0;
  for (int64_t i = 0; i < count; ++i) bits |= uint64_t{flags[i] != 0} << i;
  return bits;
}

int64_t count_set(const uint8_t* flags, int64_t count) {
  int64_t total = 0, i = 0;
  for (; i + 64 <= count; i += 64) total += __builtin_popcountll(flag_bits(flags + i));
  return total + __builtin_popcountll(last_flag_bits(flags + i, count - i));
}

// Takes the chosen ones of 64 elements one at a time.
template <class T, class Source>
GPY_INLINE T* choose_each(uint64_t bits, const Source& source, int64_t base, T* to) {
  for (; bits; bits &= bits - 1) *to++ = source[base + __builtin_ctzll(bits)];
  return to;
}

#if defined(__AVX2__)
// Takes the chosen ones of 64 elements by vectors; it writes at most kLanes elements behind them.
template <class T, class Source>
GPY_INLINE T* choose_vectors(uint64_t bits, const Source& source, int64_t base, T* to) {
  constexpr uint64_t kAll = (uint64_t{1} << kLanes<T>)-1;
  for (int i = 0; i < 64; i += kLanes<T>, bits >>= kLanes<T>) {
    const unsigned mask = static_cast<unsigned>(bits & kAll);
    Vector<T> v;
    source.vector_at(v, base + i);
#if defined(__AVX512F__)
    put_up(v, mask, to);
#else
    _mm256_storeu_si256((__m256i*)to, ordered<T>(v, mask));
#endif
    to += __builtin_popcount(mask);
  }
  return to;
}
#endif

// If fewer are chosen, they are taken one by one.
constexpr int kFewOf64 = 6;

template <class T, class Source>
void choose(const uint8_t* flags, int64_t count, [[maybe_unused]] int64_t chosen,
            const Source& source, T* to) {
  int64_t i = 0;
#if defined(__AVX2__)
  T* const vectors_to = to + chosen - 64 - kLanes<T>;  // room for 64 and a vector behind them
#endif
  for (; i + 64 <= count; i += 64) {
    const uint64_t bits = flag_bits(flags + i);
    if (bits == 0) continue;
#if defined(__AVX2__)
    if (to <= vectors_to && __builtin_popcountll(bits) > kFewOf64) {
      to = choose_vectors(bits, source, i, to);
      continue;
    }
#endif
    to = choose_each(bits, source, i, to);
  }
  choose_each(last_flag_bits(flags + i, count - i), source, i, to);
}

template <class T> struct FromArray {
  const T* elements;
  T operator[](int64_t i) const { return elements[i]; }
#if defined(__AVX2__)
  GPY_INLINE void vector_at(Vector<T>& v, int64_t i) const { load<T>(v, elements + i); }
#endif
};

struct FromPositions {
  int64_t first;
  int64_t operator[](int64_t i) const { return first + i; }
#if defined(__AVX512F__)
  GPY_INLINE void vector_at(Vector<int64_t>& v, int64_t i) const {
    v = Vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7} + (first + i);
  }
#elif defined(__AVX2__)
  GPY_INLINE void vector_at(Vector<int64_t>& v, int64_t i) const {
    v = Vector<int64_t>{0, 1, 2, 3} + (first + i);
  }
#endif
};

void positions_set(const uint8_t* flags, int64_t count, int64_t chosen, int64_t first,
                   int64_t* to) {
  choose(flags, count, chosen, FromPositions{first}, to);
}

template <class T>
void select_set(const uint8_t* flags, int64_t count, int64_t chosen, const void* elements,
                void* to) {
  choose(flags, count, chosen, FromArray<T>{static_cast<const T*>(elements)}, static_cast<T*>(to));
}

}  // namespace
}  // namespace gpy::rt
