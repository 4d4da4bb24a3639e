#pragma once

// Partitions keys by a pivot in place, without a branch that depends on them: a vector at a time
// where the instruction set has wide ones. Keys are written where others have been read: a vector
// is written whole, so both ends keep room for one.

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sorting/loops/vectors.h"

namespace gpy::rt {
namespace {

constexpr int64_t kPolled = 1 << 16;  // keys between two polls of the interrupt flag

#if defined(__AVX2__)

constexpr int kUnroll = 4;  // vectors read from one end at a time
template <class Key> constexpr int64_t kBlock = kUnroll* kLanes<Key>;

// The ends that the next keys go to; [left, right) is free.
template <class Key> struct Sides {
  Key *left, *right;

#if defined(__AVX512F__)
  GPY_INLINE void take(const Vector<Key>& v, const Vector<Key>& pivot) {
    const unsigned below = lanes_below(v, pivot);
    const int count = __builtin_popcount(below);
    put_up(v, below, left);
    left += count;
    right -= kLanes<Key> - count;
    put(v, ~below & kAll, kLanes<Key> - count, right);
  }
  // Takes the first `count` lanes alone.
  GPY_INLINE void take_some(const Vector<Key>& v, const Vector<Key>& pivot, int64_t count) {
    const unsigned some = (1u << count) - 1, below = lanes_below(v, pivot) & some;
    const int lower = __builtin_popcount(below), upper = static_cast<int>(count) - lower;
    put(v, below, lower, left);
    left += lower;
    right -= upper;
    put(v, ~below & some, upper, right);
  }
  static constexpr unsigned kAll = (1u << kLanes<Key>)-1;
#else
  // The reordered lanes are written to both ends: those of the other side fall into the free part.
  GPY_INLINE void take(const Vector<Key>& v, const Vector<Key>& pivot) {
    const unsigned below = lanes_below(v, pivot);
    const __m256i both = ordered<Key>(v, below);
    const int count = __builtin_popcount(below);
    _mm256_storeu_si256((__m256i*)left, both);
    _mm256_storeu_si256((__m256i*)(right - kLanes<Key>), both);
    left += count;
    right -= kLanes<Key> - count;
  }
  GPY_INLINE void take_some(const Vector<Key>& v, const Vector<Key>& pivot, int64_t count) {
    const unsigned some = (1u << count) - 1, below = lanes_below(v, pivot) & some;
    const unsigned above = ~below & some;
    _mm256_storeu_si256((__m256i*)left, ordered<Key>(v, below));
    const unsigned kAll = (1u << kLanes<Key>)-1;
    _mm256_storeu_si256((__m256i*)(right - kLanes<Key>), ordered<Key>(v, ~above & kAll));
    left += __builtin_popcount(below);
    right -= __builtin_popcount(above);
  }
#endif
};

// Takes at least 2 * kBlock keys. Keys below the pivot come first; their number is returned.
template <class Key> int64_t partition(Key* keys, int64_t count, Key pivot_key) {
  constexpr int64_t kBlockKeys = kBlock<Key>;
  Vector<Key> pivot = pivot_key - Vector<Key>{};
  // The keys beyond whole blocks, and a block of each end, are set aside: room to write.
  alignas(kVectorBytes) Key rest[kBlockKeys], ends[2 * kBlockKeys];
  const int64_t odd = count % kBlockKeys;
  Key *from = keys, *to = keys + count - odd;
  __builtin_memcpy(rest, to, odd * sizeof(Key));
  __builtin_memcpy(ends, from, kBlockKeys * sizeof(Key));
  __builtin_memcpy(ends + kBlockKeys, to - kBlockKeys, kBlockKeys * sizeof(Key));
  from += kBlockKeys;
  to -= kBlockKeys;
  Sides<Key> sides{keys, keys + count};
  while (from < to) {
    poll_interrupt();
    for (int64_t i = 0; i < kPolled && from < to; i += kBlockKeys) {
      const Key* block;
      if (from - sides.left <= sides.right - to) {
        block = from;
        from += kBlockKeys;
      } else {
        block = to -= kBlockKeys;
      }
      Vector<Key> v[kUnroll];
#pragma GCC unroll 4
      for (int j = 0; j < kUnroll; ++j) load<Key>(v[j], block + j * kLanes<Key>);
#pragma GCC unroll 4
      for (int j = 0; j < kUnroll; ++j) sides.take(v[j], pivot);
    }
  }
  Vector<Key> v;
  int64_t i = 0;
  for (; i + kLanes<Key> <= odd; i += kLanes<Key>) {
    load<Key>(v, rest + i);
    sides.take(v, pivot);
  }
  if (i < odd) {
    load<Key>(v, rest + i);
    sides.take_some(v, pivot, odd - i);
  }
  for (i = 0; i < 2 * kBlockKeys; i += kLanes<Key>) {
    load<Key>(v, ends + i);
    sides.take(v, pivot);
  }
  return sides.left - keys;
}

#else

// Keys below the pivot come first; their number is returned.
template <class Key> int64_t partition(Key* keys, int64_t count, Key pivot) {
  int64_t below = 0;
  for_each_polled(count, [&](int64_t i) {
    const Key key = keys[i];
    keys[i] = keys[below];
    keys[below] = key;
    below += key < pivot;
  });
  return below;
}

#endif

}  // namespace
}  // namespace gpy::rt
