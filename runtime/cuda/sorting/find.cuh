#pragma once

#include "runtime/cuda/sorting/keys.cuh"
#include "runtime/sorting/sorting.h"

namespace gpy::rt::cuda {

// The first position whose key is not before `key` (kLeft), or that is behind it (kRight).
template <class Index, class KeyAt, class Key>
__device__ Index find_key(const KeyAt& key_at, Index length, const Key& key, Side side) {
  Index low = 0, high = length;
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    const Key other = key_at(middle);
    const bool before = side == Side::kLeft ? other < key : !(key < other);
    if (before) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The same of an element among sorted ones.
template <class T> __device__ int64_t find(const T* sorted, int64_t length, T value, Side side) {
  const auto key = key_of(value);
  const auto key_at = [&](int64_t i) { return key_of(sorted[i]); };
  if (length > INT32_MAX) return find_key<int64_t>(key_at, length, key, side);
  return find_key<int>(key_at, static_cast<int>(length), key, side);
}

}  // namespace gpy::rt::cuda
