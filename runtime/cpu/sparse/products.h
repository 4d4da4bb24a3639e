#pragma once

// Products of sparse matrices, some rows at a time.

#include <algorithm>
#include <array>
#include <complex>
#include <vector>

#include "runtime/cpu/sparse/rows.h"

namespace gpy::rt {

// The product is the plain formula, without the cases for infinities that std::complex has.
template <class T> void add_product(T& sum, T a, T b) { sum += a * b; }
template <class T> void add_product(std::complex<T>& sum, std::complex<T> a, std::complex<T> b) {
  sum += std::complex<T>(a.real() * b.real() - a.imag() * b.imag(),
                         a.real() * b.imag() + a.imag() * b.real());
}
// Integers wrap around.
void add_product(int64_t& sum, int64_t a, int64_t b) {
  sum = static_cast<int64_t>(static_cast<uint64_t>(sum) +
                             static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

template <class T> T added(T a, T b) { return a + b; }
template <> inline int64_t added(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

// The columns that a row of a product has met, of which the last one met is the first in the
// result. A column's sum and the row that last met it lie in one line of the cache.
template <class T, class I> class RowSum {
 public:
  explicit RowSum(int64_t columns) : cells_(columns) {}

  void begin(I row) {
    row_ = row;
    columns_.clear();
  }
  void add(I column, T factor, T value) {
    Cell& cell = cells_[column];
    if (cell.met_in != row_) {
      cell = {T(), row_};
      columns_.push_back(column);
    }
    add_product(cell.sum, factor, value);
  }
  const std::vector<I>& columns() const { return columns_; }
  T sum(I column) const { return cells_[column].sum; }

 private:
  struct Cell {
    T sum = T();
    I met_in = -1;
  };
  std::vector<Cell> cells_;
  std::vector<I> columns_;
  I row_ = -1;
};

template <class T, class I> struct Products {
  static void times_vector(const SparseRows& matrix, const T* dense, T* out, int64_t begin,
                           int64_t end) {
    const Rows<T, I> rows(matrix);
    for (int64_t row = begin; row < end; ++row) {
      T sum = T();
      rows.each(row, [&](int64_t column, T value) { add_product(sum, value, dense[column]); });
      out[row] = sum;
    }
  }

  static void times_dense(const SparseRows& matrix, const T* dense, int64_t width, T* out,
                          int64_t begin, int64_t end) {
    const Rows<T, I> rows(matrix);
    for (int64_t row = begin; row < end; ++row) {
      T* sums = out + row * width;
      std::fill_n(sums, width, T());
      rows.each(row, [&](int64_t column, T value) {
        const T* line = dense + column * width;
        for (int64_t i = 0; i < width; ++i) add_product(sums[i], value, line[i]);
      });
    }
  }

  // The same where lines are so short that a row's sums stay in registers.
  template <int kWidth>
  static void times_narrow(const SparseRows& matrix, const T* dense, T* out, int64_t begin,
                           int64_t end) {
    const Rows<T, I> rows(matrix);
    for (int64_t row = begin; row < end; ++row) {
      std::array<T, kWidth> sums{};
      rows.each(row, [&](int64_t column, T value) {
        const T* line = dense + column * kWidth;
        for (int i = 0; i < kWidth; ++i) add_product(sums[i], value, line[i]);
      });
      std::copy(sums.begin(), sums.end(), out + row * kWidth);
    }
  }

  static void diagonal(const SparseRows& matrix, int64_t k, T* out, int64_t begin, int64_t end) {
    const Rows<T, I> rows(matrix);
    const int64_t first = std::max<int64_t>(-k, 0);
    for (int64_t i = begin; i < end; ++i) {
      const auto [from, to] = rows.range_of(first + i);
      T sum = T();
      for (int64_t entry = from; entry < to; ++entry) {
        if (rows.column(entry) == first + i + k) sum = added(sum, rows.value(entry));
      }
      out[i] = sum;
    }
  }

  static void transposed_times_vector(const SparseRows& matrix, const T* dense, T* out) {
    const Rows<T, I> rows(matrix);
    std::fill_n(out, matrix.columns, T());
    for (int64_t row = 0; row < matrix.rows; ++row) {
      const T factor = dense[row];
      rows.each(row, [&](int64_t column, T value) { add_product(out[column], value, factor); });
    }
  }

  static void transposed_times(const SparseRows& matrix, const T* dense, int64_t width, T* out) {
    const Rows<T, I> rows(matrix);
    std::fill_n(out, matrix.columns * width, T());
    for (int64_t row = 0; row < matrix.rows; ++row) {
      const T* line = dense + row * width;
      rows.each(row, [&](int64_t column, T value) {
        T* sums = out + column * width;
        for (int64_t i = 0; i < width; ++i) add_product(sums[i], value, line[i]);
      });
    }
  }

  static void count(const SparseRows& a, const SparseRows& b, I* counts, int64_t begin,
                    int64_t end) {
    const Rows<T, I> left(a), right(b);
    std::vector<I> met_in(b.columns, -1);
    for (I row = static_cast<I>(begin); row < end; ++row) {
      I count = 0;
      left.each(row, [&](int64_t middle, T) {
        right.each(middle, [&](int64_t column, T) {
          count += met_in[column] != row;
          met_in[column] = row;
        });
      });
      counts[row] = count;
    }
  }

  static void fill(const SparseRows& a, const SparseRows& b, const I* indptr, I* indices, T* data,
                   int64_t begin, int64_t end) {
    const Rows<T, I> left(a), right(b);
    RowSum<T, I> sum(b.columns);
    for (int64_t row = begin; row < end; ++row) {
      sum.begin(static_cast<I>(row));
      left.each(row, [&](int64_t middle, T factor) {
        right.each(middle, [&](int64_t column, T value) {
          sum.add(static_cast<I>(column), factor, value);
        });
      });
      int64_t at = indptr[row + 1];
      for (const I column : sum.columns()) {
        indices[--at] = column;
        data[at] = sum.sum(column);
      }
    }
  }
};

// Calls body(T(), I()) for the matrix's C++ types.
template <class I, class Body> void with_element(DType dtype, Body&& body) {
  if (dtype == DType::kFloat64) return body(double(), I());
  if (dtype == DType::kFloat32) return body(float(), I());
  if (dtype == DType::kComplex128) return body(std::complex<double>(), I());
  if (dtype == DType::kComplex64) return body(std::complex<float>(), I());
  body(int64_t(), I());
}
template <class Body> void with_types(const SparseRows& matrix, Body&& body) {
  if (matrix.index == DType::kInt32) return with_element<int32_t>(matrix.dtype, body);
  with_element<int64_t>(matrix.dtype, body);
}

}  // namespace gpy::rt
