#pragma once

// Work on sparse matrices in a backend's memory, as backends may offer it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// A matrix by rows: the entries of row i are those from indptr[i] to indptr[i + 1], in any order,
// and several may be for one place, whose value is their sum.
struct SparseRows {
  DType dtype;  // of data; of what is multiplied: int64, float32, float64, complex64, complex128
  DType index;  // of indptr and indices: int32 or int64
  int64_t rows = 0, columns = 0;
  int64_t entries = 0;  // that indices and data have
  const void* indptr = nullptr;
  const void* indices = nullptr;
  const void* data = nullptr;
};

// The number of a matrix's elements at (i, i + k).
inline int64_t diagonal_length(int64_t rows, int64_t columns, int64_t k) {
  return std::max<int64_t>(
      std::min(rows + std::min<int64_t>(k, 0), columns - std::max<int64_t>(k, 0)), 0);
}

// A square matrix by columns is L U once its row i is put at rows[i] and its column j at
// columns[j].
struct SparseFactors {
  struct Part {  // by columns
    std::vector<int32_t> indptr, indices;
    std::vector<std::byte> data;
  };
  Part lower, upper;
  std::vector<int32_t> rows, columns;
  int64_t stored = 0;  // entries as the library keeps them, with zeros in its blocks
};

struct FactorOptions {
  int order = 3;  // of columns: 0 as they are, 1 and 2 minimum degree of A'A and A + A', 3 COLAMD
  double threshold = 1;  // a diagonal element is the pivot if it is so much of the greatest
  bool symmetric = false;
  int relax = 0, panel = 0;  // 0: the library's own
  // Incomplete factors: SuperLU's rules for what is dropped, 0 for none; below which part of a
  // column's norm; and how many entries there are at most, as a multiple of the matrix's.
  int drop_rule = 0;
  double drop_tolerance = 0, fill_factor = 0;
};

// Products and orders. The host's refuses entries that lie outside the matrix, with a ValueError;
// for the others operations look before (ops/sparse.cpp).
class Sparse {
 public:
  virtual ~Sparse() = default;
  // `out`, rows x width in C order, is the matrix times `dense`, columns x width in C order. If
  // `transposed`, the matrix is turned: `dense` has its rows and `out` its columns.
  virtual void times_dense(const SparseRows& matrix, bool transposed, const void* dense,
                           int64_t width, void* out) = 0;
  // out[i] is the element at (i, i + k), or (i - k, i) for a negative k: as many as the matrix has.
  virtual void diagonal(const SparseRows& matrix, int64_t k, void* out) = 0;
  // The product of two sparse matrices of the same dtypes: first its indptr, whose last number is
  // returned, then its entries. Each place of the result has one entry, in the order of SciPy's.
  virtual int64_t count_product(const SparseRows& a, const SparseRows& b, void* indptr) = 0;
  virtual void fill_product(const SparseRows& a, const SparseRows& b, const void* indptr,
                            void* indices, void* data) = 0;

  // The matrix by columns, whose entries are in the order of their rows; those of one place keep
  // their order. A ValueError if the rows do not have each entry once.
  virtual void turn(const SparseRows& matrix, void* indptr, void* indices, void* data) = 0;

  // The columns and values with each row's entries in the order of columns; those of one place keep
  // their order. A ValueError as above.
  virtual void sort(const SparseRows& matrix, void* indices, void* data) = 0;

  // The places that either of two matrices has, by rows: first the indptr, whose last number is
  // returned, then the columns with the values of both, 0 where one has none. Both have their
  // entries in the order of columns, each column once, and dtypes of one size.
  virtual int64_t count_union(const SparseRows& a, const SparseRows& b, void* indptr) = 0;
  virtual void fill_union(const SparseRows& a, const SparseRows& b, const void* indptr,
                          void* indices, void* left, void* right) = 0;
};

// Systems of equations.
class SparseSystems {
 public:
  virtual ~SparseSystems() = default;
  // Solves for a triangular matrix in place of the right sides `x`, rows x width in C order. What
  // lies on the other side of the diagonal counts for nothing. `unit`: the diagonal is ones.
  virtual void solve_triangular(const SparseRows& matrix, bool lower, bool unit, int64_t width,
                                void* x) = 0;

  // A square matrix by columns of float64 or complex128; nothing if it is singular.
  // kNotImplemented where gpy was built without SuperLU.
  virtual std::optional<SparseFactors> factorise(const SparseRows& by_columns,
                                                 const FactorOptions& options) = 0;
};

}  // namespace gpy::rt
