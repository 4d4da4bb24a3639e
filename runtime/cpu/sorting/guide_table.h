#pragma once

// A guide table over sorted numbers that lie about evenly: their span is cut into equally wide
// cells, and the table knows how many elements lie before each. A value is compared with the few
// elements of its own cell alone. Chen and Asau, "On generating random variates from an empirical
// distribution" (1974).

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "runtime/cpu/sorting/row_work.h"

namespace gpy::rt {

// `Behind` is a predicate (element, value): whether the value's place is behind the element. Of
// elements that are not sorted some place in them is found.
template <class T, class Behind> class GuideTable {
 public:
  // Whether a table for `length` elements is soon paid for by `count` values.
  static bool pays(int64_t length, int64_t count) {
    constexpr int64_t kFewElements = 6, kManyElements = 1 << 20, kFewValues = 64;
    return std::is_arithmetic_v<T> && length >= kFewElements && length < kManyElements &&
           count >= std::max(4 * length, kFewValues);
  }

  // For about `count` values.
  GuideTable(Workplace& at, const T* sorted, int64_t length, int64_t count)
      : sorted_(sorted), length_(length), starts_(at, cells_for(length, count) + 1) {
    const int64_t cells = cells_for(length, count);
    first_ = static_cast<double>(sorted[0]);
    scale_ = static_cast<double>(cells) / (static_cast<double>(sorted[length - 1]) - first_);
    top_ = static_cast<double>(cells - 1);
    if (has_cells()) fill(cells);
  }

  // False for elements that are all equal, not finite, or crowded in a cell.
  bool is_usable() const { return has_cells() && most_ <= kMost; }

  void find(const T* values, int64_t count, int64_t* positions) {
    if (most_ == 1) find<1>(values, count, positions);
    else find<kMost>(values, count, positions);
  }

 private:
  static constexpr int kMost = 3;

  bool has_cells() const { return std::isfinite(first_) && std::isfinite(scale_) && scale_ > 0; }

  // The more cells, the fewer elements in one; a short table stays in the nearest cache.
  static int64_t cells_for(int64_t length, int64_t count) {
    constexpr int64_t kShort = 1 << 12;
    return std::max(2 * length, std::min({32 * length, count, kShort}));
  }
  // Rises with the value; NaN is in the last one.
  int64_t cell_of(T value) const {
    double at = (static_cast<double>(value) - first_) * scale_;
    at = at < top_ ? at : top_;
    at = at > 0 ? at : 0;
    return static_cast<int64_t>(at);
  }

  void fill(int64_t cells) {
    int32_t* const starts = starts_.data();
    std::fill_n(starts, cells + 1, 0);
    for (int64_t i = 0; i < length_; ++i) ++starts[cell_of(sorted_[i]) + 1];
    most_ = *std::max_element(starts, starts + cells + 1);
    for (int64_t cell = 0; cell < cells; ++cell) starts[cell + 1] += starts[cell];
  }

  // Where no cell has more than `most` elements. Without branches: no processor would guess them.
  template <int most> void find(const T* values, int64_t count, int64_t* positions) {
    const int32_t* const starts = starts_.data();
    const T* const sorted = sorted_;
    const int64_t length = length_, last = length - 1;
    for (int64_t i = 0; i < count; ++i) {
      const T value = values[i];
      int64_t position = starts[cell_of(value)];
      for (int k = 0; k < most; ++k) {
        const int64_t probe = position < last ? position : last;
        position += static_cast<int64_t>(behind_(sorted[probe], value));
      }
      positions[i] = position < length ? position : length;
    }
  }

  const T* const sorted_;
  const int64_t length_;
  Scratch<int32_t> starts_;  // of each cell, and the end of the last
  double first_, scale_, top_;
  int32_t most_ = 0;  // elements that a cell has
  [[no_unique_address]] Behind behind_;
};

}  // namespace gpy::rt
