#pragma once

#include "runtime/cuda/sorting/keys.cuh"
#include "runtime/sorting/sorting.h"

namespace gpy::rt::cuda {

// The first position whose element is not before `value` (kLeft), or that is behind it (kRight).
template <class T> __device__ int64_t find(const T* sorted, int64_t length, T value, Side side) {
  const auto key = key_of(value);
  int64_t low = 0, high = length;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const auto other = key_of(sorted[middle]);
    const bool before = side == Side::kLeft ? other < key : !(key < other);
    if (before) low = middle + 1;
    else high = middle;
  }
  return low;
}

}  // namespace gpy::rt::cuda
