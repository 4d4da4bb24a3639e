#pragma once

// A sparse matrix in the host's memory, with checked access.

#include <algorithm>
#include <cstdint>

#include "runtime/core/error.h"
#include "runtime/sparse/sparse.h"

namespace gpy::rt {

// A matrix with checked access: whatever the arrays hold, nothing outside them is read.
template <class T, class I> class Rows {
 public:
  explicit Rows(const SparseRows& matrix)
      : matrix_(matrix),
        indptr_(static_cast<const I*>(matrix.indptr)),
        indices_(static_cast<const I*>(matrix.indices)),
        data_(static_cast<const T*>(matrix.data)) {}

  struct Range {
    int64_t begin, end;
  };
  // The entries of a row: those between, which may be none.
  Range range_of(int64_t row) const {
    const int64_t begin = indptr_[row], end = indptr_[row + 1];
    if (begin < 0 || end > matrix_.entries) refuse();
    return {begin, end};
  }
  I column(int64_t entry) const { return indices_[entry]; }
  int64_t checked_column(int64_t entry) const {
    const auto column = static_cast<int64_t>(indices_[entry]);
    if (static_cast<uint64_t>(column) >= static_cast<uint64_t>(matrix_.columns)) refuse();
    return column;
  }
  T value(int64_t entry) const { return data_[entry]; }

  // Whether a row begins where the one before it ends, the last one at the end of the entries.
  bool have_each_entry_once() const {
    bool rises = true;
    for (int64_t row = 0; row < matrix_.rows; ++row) rises &= indptr_[row] <= indptr_[row + 1];
    if (!rises) return false;
    return indptr_[0] == 0 && indptr_[matrix_.rows] == matrix_.entries;
  }

  // Calls entry(column, value) for the entries of a row.
  template <class Entry> void each(int64_t row, Entry&& entry) const {
    const Range range = range_of(row);
    for (int64_t i = range.begin; i < range.end; ++i) {
      entry(checked_column(i), data_[i]);
    }
  }

 private:
  [[noreturn, gnu::cold]] static void refuse() {
    throw Error(ErrorKind::kValue, "sparse matrix: an entry lies outside the matrix");
  }

  const SparseRows& matrix_;
  const I* indptr_;
  const I* indices_;
  const T* data_;
};

// Refuses rows that do not have each entry once.
template <class V, class I> void check_total(const Rows<V, I>& rows) {
  if (rows.have_each_entry_once()) return;
  throw Error(ErrorKind::kValue, "sparse matrix: the index pointer does not fit the entries");
}

// Calls body(V(), I()) for an unsigned V of the values' size: where values are only moved.
template <class I, class Body> void with_bytes(int64_t size, Body&& body) {
  struct Pair {
    uint64_t first, second;
  };
  if (size == 1) return body(uint8_t(), I());
  if (size == 2) return body(uint16_t(), I());
  if (size == 4) return body(uint32_t(), I());
  if (size == 8) return body(uint64_t(), I());
  body(Pair(), I());
}
template <class Body> void with_bytes(const SparseRows& matrix, Body&& body) {
  const auto size = static_cast<int64_t>(item_size(matrix.dtype));
  if (matrix.index == DType::kInt32) return with_bytes<int32_t>(size, body);
  with_bytes<int64_t>(size, body);
}

}  // namespace gpy::rt
