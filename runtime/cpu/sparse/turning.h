#pragma once

// A matrix by rows turned to one by columns: a counting sort of its entries. Each of a few pieces
// of the entries is counted by column; then each thread reads all entries and places those of its
// own range of columns, so that no two threads write to one line of the cache.

#include <algorithm>
#include <vector>

#include "runtime/core/interrupt.h"
#include "runtime/core/thread_pool.h"
#include "runtime/cpu/sparse/rows.h"

namespace gpy::rt {

// Rows, or entries, that are worked through between two polls for interrupts.
constexpr int64_t kPolledRows = 16 * 1024;

template <class V, class I> class Turning {
 public:
  Turning(ThreadPool& threads, const SparseRows& matrix)
      : threads_(threads), matrix_(matrix), rows_(matrix), next_(pieces()) {}

  void run(I* indptr, I* indices, V* data) {
    check_total(rows_);
    const auto count = static_cast<int64_t>(next_.size());
    threads_.run(count, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        count_columns(next_[i], matrix_.entries * i / count, matrix_.entries * (i + 1) / count);
      }
    });
    begin_columns(indptr);
    if (count == 1) {
      return place(indices, data, [](I) { return true; });
    }
    threads_.run(count, 1, [&](int64_t begin, int64_t end) {
      const I first = column_of_share(indptr, begin, count),
              last = column_of_share(indptr, end, count);
      place(indices, data, [=](I column) { return column >= first && column < last; });
    });
  }

 private:
  // A piece has notes as long as a row, so it has as many entries at least.
  int64_t pieces() const {
    const int64_t worth = matrix_.entries / (matrix_.columns / 2 + 32 * 1024);
    return std::clamp<int64_t>(worth, 1, threads_.threads());
  }

  void count_columns(std::vector<I>& counts, int64_t begin, int64_t end) const {
    counts.assign(matrix_.columns, 0);
    for (int64_t from = begin; from < end; from += kPolledRows) {
      poll_interrupt();
      const int64_t to = std::min(from + kPolledRows, end);
      for (int64_t entry = from; entry < to; ++entry) ++counts[rows_.checked_column(entry)];
    }
  }

  // Puts the entries of some columns where they belong; all have been checked before.
  template <class IsOwn> void place(I* indices, V* data, IsOwn&& is_own) {
    const auto* const ends = static_cast<const I*>(matrix_.indptr) + 1;
    const auto* const columns = static_cast<const I*>(matrix_.indices);
    const auto* const values = static_cast<const V*>(matrix_.data);
    I* const next = next_[0].data();
    int64_t entry = 0;
    for (int64_t row = 0, rows = matrix_.rows; row < rows; ++row) {
      if (row % kPolledRows == 0) poll_interrupt();
      for (const int64_t end = ends[row]; entry < end; ++entry) {
        const I column = columns[entry];
        if (!is_own(column)) continue;
        const I at = next[column]++;
        indices[at] = static_cast<I>(row);
        data[at] = values[entry];
      }
    }
  }

  // From counts to the place where each column begins.
  void begin_columns(I* indptr) {
    indptr[0] = 0;
    for (int64_t column = 0; column < matrix_.columns; ++column) {
      I count = 0;
      for (const std::vector<I>& counts : next_) count += counts[column];
      next_[0][column] = indptr[column];
      indptr[column + 1] = indptr[column] + count;
    }
  }

  // The first column of share `number` of `count`, which have about as many entries each.
  I column_of_share(const I* indptr, int64_t number, int64_t count) const {
    if (number == count) return static_cast<I>(matrix_.columns);
    const I* const ends = indptr + matrix_.columns + 1;
    const I wanted = static_cast<I>(indptr[matrix_.columns] / count * number);
    return static_cast<I>(std::lower_bound(indptr, ends, wanted) - indptr);
  }

  ThreadPool& threads_;
  const SparseRows& matrix_;
  const Rows<V, I> rows_;
  std::vector<std::vector<I>> next_;
};

}  // namespace gpy::rt
