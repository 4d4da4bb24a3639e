#pragma once

// The entries of rows in the order of their columns; those of one place keep their order.

#include <algorithm>
#include <vector>

#include "runtime/cpu/sparse/rows.h"

namespace gpy::rt {

template <class V, class I> class Ordering {
 public:
  explicit Ordering(const SparseRows& matrix) : rows_(matrix) {}

  void run(I* indices, V* data, int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const auto range = rows_.range_of(row);
      if (range.end - range.begin <= kShort) {
        insert(indices, data, range.begin, range.end);
      } else {
        sort(indices, data, range.begin, range.end);
      }
    }
  }

 private:
  static constexpr int64_t kShort = 24;

  void insert(I* indices, V* data, int64_t begin, int64_t end) const {
    for (int64_t i = begin; i < end; ++i) {
      const I column = rows_.column(i);
      int64_t at = i;
      for (; at > begin && indices[at - 1] > column; --at) {
        indices[at] = indices[at - 1];
        data[at] = data[at - 1];
      }
      indices[at] = column;
      data[at] = rows_.value(i);
    }
  }

  void sort(I* indices, V* data, int64_t begin, int64_t end) {
    entries_.clear();
    for (int64_t i = begin; i < end; ++i) entries_.push_back({rows_.column(i), i});
    std::sort(entries_.begin(), entries_.end());
    for (const auto& [column, entry] : entries_) {
      indices[begin] = column;
      data[begin++] = rows_.value(entry);
    }
  }

  const Rows<V, I> rows_;
  std::vector<std::pair<I, int64_t>> entries_;
};

}  // namespace gpy::rt
