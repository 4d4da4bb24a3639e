#pragma once

// Quicksort and quickselect of keys. A pivot is the middle of a sorted sample.

#include "runtime/cpu/sorting/loops.h"
#include "runtime/cpu/sorting/loops/partition.h"
#include "runtime/cpu/sorting/loops/small_sort.h"

namespace gpy::rt {
namespace {

// A sorted sample, evenly spaced with some randomness, so that no pattern of keys defeats it.
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

// Splits by a pivot. Where no key is less than it, the keys equal to it form the middle.
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

// `levels`: the depth of recursion that is left before it sorts by comparing.
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

// A pivot that very likely leaves the wanted key in the smaller part: the sample's key at its
// place, moved by a margin towards the larger part.
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
