#pragma once

// A matrix by rows turned to one by columns: a counting sort of its entries. Each of a few pieces
// of rows counts its entries by column; then each thread reads all entries and places those of its
// own range of columns, so that no two threads write to one line of the cache.

#include <algorithm>
#include <vector>

#include "runtime/core/interrupt.h"
#include "runtime/core/thread_pool.h"
#include "runtime/cpu/sparse/rows.h"

namespace gpy::rt {

// Rows that are worked through between two polls for interrupts.
constexpr int64_t kPolledRows = 16 * 1024;

template <class V, class I> class Turning {
 public:
  Turning(ThreadPool& threads, const SparseRows& matrix)
      : threads_(threads), matrix_(matrix), rows_(matrix), next_(pieces()) {}

  void run(I* indptr, I* indices, V* data) {
    check_total(rows_);
    in_pieces([&](std::vector<I>& next, int64_t begin, int64_t end) {
      next.assign(matrix_.columns, 0);
      each(begin, end, [&](int64_t, int64_t column, V) { ++next[column]; });
    });
    begin_columns(indptr);
    std::vector<I>& next = next_[0];
    const auto count = static_cast<int64_t>(next_.size());
    threads_.run(count, 1, [&](int64_t begin, int64_t end) {
      const I first = column_of_share(indptr, begin, count),
              last = column_of_share(indptr, end, count);
      each(0, matrix_.rows, [&](int64_t row, int64_t column, V value) {
        if (column < first || column >= last) return;
        const I at = next[column]++;
        indices[at] = static_cast<I>(row);
        data[at] = value;
      });
    });
  }

 private:
  // A piece has notes as long as a row, so it has as many entries at least.
  int64_t pieces() const {
    const int64_t worth = matrix_.entries / (matrix_.columns / 2 + 32 * 1024);
    return std::clamp<int64_t>(worth, 1, threads_.threads());
  }

  template <class Body> void in_pieces(Body&& body) {
    const auto count = static_cast<int64_t>(next_.size());
    threads_.run(count, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        body(next_[i], matrix_.rows * i / count, matrix_.rows * (i + 1) / count);
      }
    });
  }

  template <class Entry> void each(int64_t begin, int64_t end, Entry&& entry) const {
    for (int64_t row = begin; row < end; ++row) {
      if (row % kPolledRows == 0) poll_interrupt();
      rows_.each(row, [&](int64_t column, V value) { entry(row, column, value); });
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
