#pragma once

// Whether a square matrix can be regular by the places of its entries alone: whether each column
// can be given a row of its own in which it has an entry. Augmenting paths, found depth first.

#include <cstdint>
#include <vector>

namespace gpy::rt {

class RowsOfColumns {
 public:
  // A matrix by columns, whose entries lie within it.
  RowsOfColumns(int size, const int32_t* indptr, const int32_t* indices)
      : size_(size), indptr_(indptr), indices_(indices), column_of_(size, -1), row_of_(size, -1) {}

  bool has_full_rank() {
    for (int column = 0; column < size_; ++column) take_free_row(column);
    met_by_.assign(size_, -1);
    next_.resize(size_);
    for (int column = 0; column < size_; ++column) {
      if (row_of_[column] < 0 && !find_path(column)) return false;
    }
    return true;
  }

 private:
  // The diagonal's row if it is free, else the first that is.
  void take_free_row(int column) {
    int found = -1;
    for (int32_t i = indptr_[column]; i < indptr_[column + 1]; ++i) {
      const int row = indices_[i];
      if (column_of_[row] >= 0) continue;
      if (found < 0 || row == column) found = row;
    }
    if (found >= 0) give(column, found);
  }

  // Columns on the path give up their rows to the one before them.
  bool find_path(int start) {
    path_.assign(1, start);
    next_[start] = indptr_[start];
    while (!path_.empty()) {
      const int row = next_row(path_.back(), start);
      if (row < 0) {
        path_.pop_back();
        continue;
      }
      const int holder = column_of_[row];
      row_of_[path_.back()] = row;
      if (holder < 0) {
        for (const int column : path_) give(column, row_of_[column]);
        return true;
      }
      path_.push_back(holder);
      next_[holder] = indptr_[holder];
    }
    return false;
  }

  // The next row of a column that this search has not met, or -1.
  int next_row(int column, int search) {
    while (next_[column] < indptr_[column + 1]) {
      const int row = indices_[next_[column]++];
      if (met_by_[row] == search) continue;
      met_by_[row] = search;
      return row;
    }
    return -1;
  }

  void give(int column, int row) {
    column_of_[row] = column;
    row_of_[column] = row;
  }

  int size_;
  const int32_t* indptr_;
  const int32_t* indices_;
  std::vector<int> column_of_, row_of_;
  std::vector<int> met_by_, path_;
  std::vector<int32_t> next_;
};

}  // namespace gpy::rt
