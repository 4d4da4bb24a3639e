#pragma once

// Keys do not tell NaNs apart, and they order zeros by their sign: the sorted elements that are
// equal but differ in bits are taken from the source again, in its order.

#include <algorithm>
#include <cstdint>

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sorting/loops.h"

namespace gpy::rt {

// The places of the zeros in a sorted row.
struct Zeros {
  int64_t begin = 0, negative = 0, positive = 0;
};

template <class T> Zeros zeros_of(const KeyOf<T>* keys, int64_t count, const KeyRange& range) {
  if (!kHasNan<T> || range.least >= 0 || range.greatest < 0) return {};
  const KeyOf<T>* end = keys + count;
  const KeyOf<T>* negative = std::lower_bound(keys, end, KeyOf<T>{-1});
  if (negative == end || *negative != -1) return {};
  const KeyOf<T>* positive = std::lower_bound(negative, end, KeyOf<T>{0});
  return {negative - keys, positive - negative,
          std::upper_bound(positive, end, KeyOf<T>{0}) - positive};
}

template <class T>
void restore_zeros(const T* from, int64_t count, const Zeros& zeros, [[maybe_unused]] T* to) {
  if constexpr (kHasNan<T>) {
    if (zeros.negative == 0 || zeros.positive == 0) return;
    T* next = to + zeros.begin;
    for_each_polled(count, [&](int64_t i) {
      if (is_zero(from[i])) *next++ = from[i];
    });
  }
}

// Restores the NaNs, the last `nans` of `count` elements.
template <class T>
void restore_nans(const T* from, int64_t count, int64_t nans, [[maybe_unused]] T* to) {
  if constexpr (kHasNan<T>) {
    if (nans == 0) return;
    T* next = to + count - nans;
    for_each_polled(count, [&](int64_t i) {
      if (is_nan(from[i])) *next++ = from[i];
    });
  }
}

}  // namespace gpy::rt
