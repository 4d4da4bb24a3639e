#include "runtime/cpu/host_sparse.h"

#include <algorithm>
#include <complex>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"

namespace gpy::rt {
namespace {

// Multiplications that are worth a second thread, and those between two polls for interrupts.
constexpr int64_t kPieceWork = 32 * 1024;
constexpr int64_t kPolledWork = 16 << 20;

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

// A matrix with checked access: whatever the arrays hold, nothing outside them is read.
template <class T, class I> class Rows {
 public:
  explicit Rows(const SparseRows& matrix)
      : matrix_(matrix),
        indptr_(static_cast<const I*>(matrix.indptr)),
        indices_(static_cast<const I*>(matrix.indices)),
        data_(static_cast<const T*>(matrix.data)) {}

  // Calls entry(column, value) for the entries of a row.
  template <class Entry> void each(int64_t row, Entry&& entry) const {
    const int64_t begin = indptr_[row], end = indptr_[row + 1];
    if (begin < 0 || end > matrix_.entries) refuse();
    for (int64_t i = begin; i < end; ++i) {
      const auto column = static_cast<int64_t>(indices_[i]);
      if (static_cast<uint64_t>(column) >= static_cast<uint64_t>(matrix_.columns)) refuse();
      entry(column, data_[i]);
    }
  }

 private:
  [[noreturn, gnu::cold]] static void refuse() {
    throw Error(ErrorKind::kValue, "sparse product: an entry lies outside the matrix");
  }

  const SparseRows& matrix_;
  const I* indptr_;
  const I* indices_;
  const T* data_;
};

// The columns that a row of a product has met, of which the last one met is the first in the
// result.
template <class T> class RowSum {
 public:
  explicit RowSum(int64_t columns) : sums_(columns), met_in_(columns, -1) {}

  void begin(int64_t row) {
    row_ = row;
    columns_.clear();
  }
  T& at(int64_t column) {
    if (met_in_[column] != row_) {
      met_in_[column] = row_;
      sums_[column] = T();
      columns_.push_back(column);
    }
    return sums_[column];
  }
  std::vector<int64_t>& columns() { return columns_; }

 private:
  std::vector<T> sums_;
  std::vector<int64_t> met_in_;
  std::vector<int64_t> columns_;
  int64_t row_ = -1;
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
    std::vector<int64_t> met_in(b.columns, -1);
    for (int64_t row = begin; row < end; ++row) {
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
    RowSum<T> sum(b.columns);
    for (int64_t row = begin; row < end; ++row) {
      sum.begin(row);
      left.each(row, [&](int64_t middle, T factor) {
        right.each(middle,
                   [&](int64_t column, T value) { add_product(sum.at(column), factor, value); });
      });
      int64_t at = indptr[row + 1];
      for (const int64_t column : sum.columns()) {
        indices[--at] = static_cast<I>(column);
        data[at] = sum.at(column);
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

class HostSparse final : public Sparse {
 public:
  explicit HostSparse(ThreadPool& threads) : threads_(threads) {}

  void times_dense(const SparseRows& matrix, bool transposed, const void* dense, int64_t width,
                   void* out) override {
    with_types(matrix, [&]<class T, class I>(T, I) {
      const T* from = static_cast<const T*>(dense);
      T* to = static_cast<T*>(out);
      using Product = Products<T, I>;
      if (transposed) return Product::transposed_times(matrix, from, width, to);
      run_rows(matrix, width, [&](int64_t begin, int64_t end) {
        if (width == 1) return Product::times_vector(matrix, from, to, begin, end);
        Product::times_dense(matrix, from, width, to, begin, end);
      });
    });
  }

  int64_t count_product(const SparseRows& a, const SparseRows& b, void* indptr) override {
    int64_t total = 0;
    with_types(a, [&]<class T, class I>(T, I) {
      I* ends = static_cast<I*>(indptr);
      ends[0] = 0;
      run_with_columns(a.rows, b.columns, [&](int64_t begin, int64_t end) {
        Products<T, I>::count(a, b, ends + 1, begin, end);
      });
      for (int64_t row = 0; row < a.rows; ++row) {
        total += ends[row + 1];
        ends[row + 1] = static_cast<I>(total);
      }
    });
    return total;
  }

  void fill_product(const SparseRows& a, const SparseRows& b, const void* indptr, void* indices,
                    void* data) override {
    with_types(a, [&]<class T, class I>(T, I) {
      run_with_columns(a.rows, b.columns, [&](int64_t begin, int64_t end) {
        Products<T, I>::fill(a, b, static_cast<const I*>(indptr), static_cast<I*>(indices),
                             static_cast<T*>(data), begin, end);
      });
    });
  }

 private:
  template <class Body> void run_rows(const SparseRows& matrix, int64_t width, Body&& body) {
    const int64_t each = (matrix.entries / std::max<int64_t>(matrix.rows, 1) + 1) * width;
    const int64_t polled = std::max<int64_t>(kPolledWork / each, 1);
    threads_.run(matrix.rows, std::max<int64_t>(kPieceWork / each, 1),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t from = begin; from < end; from += polled) {
                     poll_interrupt();
                     body(from, std::min(from + polled, end));
                   }
                 });
  }

  // Each piece has notes as long as a row of the result, so it has many rows.
  template <class Body> void run_with_columns(int64_t rows, int64_t columns, Body&& body) {
    threads_.run(rows, std::max<int64_t>(rows / (4 * threads_.threads()), columns / 16 + 64),
                 [&](int64_t begin, int64_t end) {
                   poll_interrupt();
                   body(begin, end);
                 });
  }

  ThreadPool& threads_;
};

}  // namespace

std::unique_ptr<Sparse> make_host_sparse(ThreadPool& threads) {
  return std::make_unique<HostSparse>(threads);
}

}  // namespace gpy::rt
