#pragma once

// The places that either of two matrices has, where both have the entries of a row in the order of
// their columns, each column once.

#include <limits>

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sparse/rows.h"

namespace gpy::rt {

template <class V, class I> class Merging {
 public:
  Merging(const SparseRows& a, const SparseRows& b) : a_(a), b_(b) {}

  void count(I* counts, int64_t begin, int64_t end) const {
    for (int64_t row = begin; row < end; ++row) {
      auto [i, end_a] = a_.range_of(row);
      auto [j, end_b] = b_.range_of(row);
      int64_t count = 0;
      for (; i < end_a && j < end_b; ++count) {
        const I first = a_.column(i), second = b_.column(j);
        i += first <= second;
        j += second <= first;
      }
      count += std::max<int64_t>(end_a - i, 0) + std::max<int64_t>(end_b - j, 0);
      if (count > std::numeric_limits<I>::max()) {
        throw Error(ErrorKind::kOverflow, "sparse matrix: too many entries for indices of 32 bits");
      }
      counts[row] = static_cast<I>(count);
    }
  }

  // The columns, and the values on both sides, 0 where there is none. The two entries that are
  // compared are both read, so that nothing has to be jumped over.
  void fill(const I* indptr, I* indices, V* left, V* right, int64_t begin, int64_t end) const {
    for (int64_t row = begin; row < end; ++row) {
      auto [i, end_a] = a_.range_of(row);
      auto [j, end_b] = b_.range_of(row);
      int64_t at = indptr[row];
      const auto put = [&](I column, V first, V second) {
        indices[at] = column;
        left[at] = first;
        right[at++] = second;
      };
      while (i < end_a && j < end_b) {
        const I first = a_.column(i), second = b_.column(j);
        const V sides[2][2] = {{V(), a_.value(i)}, {V(), b_.value(j)}};
        const bool in_a = first <= second, in_b = second <= first;
        put(in_a ? first : second, sides[0][in_a], sides[1][in_b]);
        i += in_a;
        j += in_b;
      }
      for (; i < end_a; ++i) put(a_.column(i), a_.value(i), V());
      for (; j < end_b; ++j) put(b_.column(j), V(), b_.value(j));
    }
  }

 private:
  const Rows<V, I> a_, b_;
};

}  // namespace gpy::rt
