#pragma once

// Quicksort and quickselect of keys. A pivot is the middle of a sorted sample; keys are brought to
// its sides a vector at a time, in place, without a branch that depends on them. Writes go where
// reading has made room: a vector is written whole, so both ends keep room for one.

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sorting/loops.h"
#include "runtime/cpu/sorting/loops/small_sort.h"

namespace gpy::rt {
namespace {

constexpr int kUnroll = 4;            // vectors read from one end at a time
constexpr int64_t kPolled = 1 << 16;  // keys between two looks at the interrupt flag
template <class Key> constexpr int64_t kBlock = kUnroll* kLanes<Key>;

// Where the next keys go; [left, right) is free.
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
  // The first `count` lanes alone.
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
  // The lanes in their new order are written to both ends: those that do not belong there lie in
  // the free part.
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

// At least 2 * kBlock keys. Those below the pivot come first; their number is returned.
template <class Key> int64_t partition(Key* keys, int64_t count, Key pivot_key) {
  constexpr int64_t kBlockKeys = kBlock<Key>;
  Vector<Key> pivot = pivot_key - Vector<Key>{};
  // What makes a round number of blocks, from the end; and a block of each end: room to write.
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
      for (int j = 0; j < kUnroll; ++j) load<Key>(v[j], block + j * kLanes<Key>);
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

// A sorted sample, spread evenly but for a little chance, so that no pattern of keys meets it.
template <class Key> struct Sample {
  static constexpr int kMost = 16 * kLanes<Key>;
  Key keys[kMost];
  int count;

  Sample(const Key* from, int64_t of) : count(of < 4096 ? 4 * kLanes<Key> : kMost) {
    const int64_t step = of / count;
    uint64_t chance = 0x9e3779b97f4a7c15u * static_cast<uint64_t>(of);
    for (int i = 0; i < count; ++i) {
      chance = chance * 6364136223846793005u + 1442695040888963407u;
      keys[i] = from[i * step + static_cast<int64_t>((chance >> 32) * step >> 32)];
    }
    sort_small(keys, count);
  }
};

// Splits by a pivot. Where nothing is less than it, what is equal to it stands in the middle.
template <class Key> Split split_by(Key* keys, int64_t count, Key pivot) {
  const int64_t below = partition(keys, count, pivot);
  if (below > 0) return {below, below};
  if (pivot == kGreatest<Key>) return {0, count};
  return {0, partition(keys, count, static_cast<Key>(pivot + 1))};
}

template <class Key> Split split(Key* keys, int64_t count) {
  const Sample<Key> sample(keys, count);
  return split_by(keys, count, sample.keys[sample.count / 2]);
}

// `levels`: how deep it may go yet, before it compares.
template <class Key> void quicksort(Key* keys, int64_t count, int levels) {
  while (count > kSmall<Key>) {
    if (levels-- == 0) return sort_by_comparing(keys, count);
    const Split parts = split(keys, count);
    quicksort(keys, parts.left, levels);
    keys += parts.right;
    count -= parts.right;
  }
  sort_small(keys, count);
}

int most_levels(int64_t count) { return 2 * (64 - __builtin_clzll(count | 1)) + 8; }

template <class Key> void sort(Key* keys, int64_t count) {
  quicksort(keys, count, most_levels(count));
}

// A pivot that the wanted key is on the smaller side of, very likely: the sample's key at its
// place, and a margin towards the greater side.
template <class Key> Key pivot_beside(const Sample<Key>& sample, int64_t count, int64_t kth) {
  const int64_t at = kth * sample.count / count;
  const int margin = sample.count / 8;
  const int64_t wanted = 2 * kth < count ? at + margin : at - margin;
  return sample.keys[wanted < 0 ? 0 : wanted >= sample.count ? sample.count - 1 : wanted];
}

template <class Key> void select(Key* keys, int64_t count, int64_t kth) {
  int levels = 2 * most_levels(count);
  while (count > kSmall<Key>) {
    if (levels-- == 0) return select_by_comparing(keys, count, kth);
    const Sample<Key> sample(keys, count);
    const Split parts = split_by(keys, count, pivot_beside(sample, count, kth));
    if (kth < parts.left) {
      count = parts.left;
    } else if (kth < parts.right) {
      return;
    } else {
      keys += parts.right;
      count -= parts.right;
      kth -= parts.right;
    }
  }
  sort_small(keys, count);
}

}  // namespace

}  // namespace gpy::rt
