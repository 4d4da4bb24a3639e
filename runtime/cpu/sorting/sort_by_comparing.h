#pragma once

// A stable comparison sort, for complex numbers, which have no keys.

#include <algorithm>

#include "runtime/core/interrupt.h"

namespace gpy::rt {

inline constexpr int64_t kComparedPiece = 1 << 15;

template <class T> T* copy_polled(const T* from, const T* end, T* to) {
  for_each_polled(end - from, [&](int64_t i) { to[i] = from[i]; });
  return to + (end - from);
}

template <class T, class Less>
void merge_polled(const T* a, const T* a_end, const T* b, const T* b_end, T* to, Less less) {
  while (a != a_end && b != b_end) {
    poll_interrupt();
    for (int64_t steps = std::min({a_end - a, b_end - b, kComparedPiece}); steps > 0; --steps) {
      const bool second = less(*b, *a);
      *to++ = second ? *b : *a;
      b += second;
      a += !second;
    }
  }
  copy_polled(b, b_end, copy_polled(a, a_end, to));
}

// Sorts pieces that fit a cache, then merges them. `spare` has room for the row where it is longer
// than a piece.
template <class T, class Less> void sort_by_comparing(T* row, int64_t length, T* spare, Less less) {
  for (int64_t at = 0; at < length; at += kComparedPiece) {
    poll_interrupt();
    std::stable_sort(row + at, row + std::min(length, at + kComparedPiece), less);
  }
  T *from = row, *to = spare;
  for (int64_t width = kComparedPiece; width < length; width *= 2) {
    for (int64_t at = 0; at < length; at += 2 * width) {
      const T* middle = from + std::min(length, at + width);
      merge_polled<T>(from + at, middle, middle, from + std::min(length, at + 2 * width), to + at,
                      less);
    }
    std::swap(from, to);
  }
  if (from != row) copy_polled<T>(from, from + length, row);
}

}  // namespace gpy::rt
