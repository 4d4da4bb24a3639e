#pragma once

// Work on sparse matrices, in the place of the matrix, or by way of the host where that has
// none.

#include <optional>

#include "runtime/session.h"
#include "runtime/sparse/sparse.h"

namespace gpy::rt {

// The matrix by rows (runtime/sparse/sparse.h): arrays with one axis, of the dtypes named there.
struct SparseArrays {
  Array data, indices, indptr;
  int64_t columns = 0;
  int64_t rows() const { return indptr.size() - 1; }
};

// The matrix, turned if `transposed`, times an array of its dtype with one axis or two.
Array sparse_times_dense(Session& session, const SparseArrays& matrix, bool transposed,
                         const Array& dense);

// The elements at (i, i + k).
Array sparse_diagonal(Session& session, const SparseArrays& matrix, int64_t k);

// The product of two matrices of one dtype and one index dtype.
SparseArrays sparse_times_sparse(Session& session, const SparseArrays& a, const SparseArrays& b);

// The matrix by columns, as the rows of the turned one: entries in order, equal places in theirs.
SparseArrays turned_sparse(Session& session, const SparseArrays& matrix);

// The matrix with each row's entries in the order of columns, equal places in theirs.
SparseArrays sorted_sparse(Session& session, const SparseArrays& matrix);

// The places that either of two matrices has, with the values of both, 0 where one has none. Their
// entries are in order, each place once.
struct SparseUnion {
  Array left, right, indices, indptr;
};
SparseUnion sparse_union(Session& session, const SparseArrays& a, const SparseArrays& b);

// x, of the matrix's floating dtype with one axis or two, where the triangular matrix times x is
// `right`.
Array solve_sparse_triangular(Session& session, const SparseArrays& matrix, bool lower, bool unit,
                              const Array& right);

// L and U by columns, and where rows and columns go (runtime/sparse/sparse.h); nothing where the
// matrix, by columns, is singular. It is computed on the host.
struct SparseFactorArrays {
  SparseArrays lower, upper;
  Array rows, columns;
  int64_t stored;  // entries as the library keeps them, with zeros in its blocks
};
std::optional<SparseFactorArrays> factorise_sparse(Session& session, const SparseArrays& by_columns,
                                                   const FactorOptions& options);

}  // namespace gpy::rt
