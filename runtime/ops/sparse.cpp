#include "runtime/ops/sparse.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/facts.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/family_place.h"
#include "runtime/ops/integer_range.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/sorting.h"
#include "runtime/sparse/sparse.h"

namespace gpy::rt {

namespace {

using SparsePlace = FamilyPlace<&Backend::sparse>;
using SystemsPlace = FamilyPlace<&Backend::sparse_systems>;

// C-ordered elements of an array at a place.
class Elements {
 public:
  Elements(Session& session, const Array& array, Place place)
      : dense_(is_c_contiguous(array.layout()) ? array : copy(session, array, 'C')),
        read_(session, dense_, place) {}
  const std::byte* data() const { return read_.data(); }

 private:
  Array dense_;
  ReadAccess read_;
};

class PlacedRows {
 public:
  PlacedRows(Session& session, const SparseArrays& matrix, Place place)
      : indptr_(session, matrix.indptr, place),
        indices_(session, matrix.indices, place),
        data_(session, matrix.data, place),
        rows_{.dtype = matrix.data.dtype(),
              .index = matrix.indptr.dtype(),
              .rows = matrix.rows(),
              .columns = matrix.columns,
              .entries = std::min(matrix.data.size(), matrix.indices.size()),
              .indptr = indptr_.data(),
              .indices = indices_.data(),
              .data = data_.data()} {}
  const SparseRows& rows() const { return rows_; }

 private:
  Elements indptr_, indices_, data_;
  SparseRows rows_;
};

void check_indices(const SparseArrays& matrix) {
  const DType index = matrix.indptr.dtype();
  const bool indexed = (index == DType::kInt32 || index == DType::kInt64) &&
                       matrix.indices.dtype() == index && matrix.indptr.size() > 0;
  if (!indexed) throw Error(ErrorKind::kType, "sparse matrix: no such indices");
}

void check_dtypes(const SparseArrays& matrix) {
  check_indices(matrix);
  const DType dtype = matrix.data.dtype();
  const bool known = dtype == DType::kInt64 || dtype == DType::kFloat32 ||
                     dtype == DType::kFloat64 || dtype == DType::kComplex64 ||
                     dtype == DType::kComplex128;
  if (!known) throw Error(ErrorKind::kType, "sparse product: no such matrix");
}

// Refuses what a device would read or write outside its memory. The host looks by itself.
void check_columns(Session& session, const SparseArrays& matrix, Place place) {
  if (session.backend(place).is_host()) return;
  if (lie_within(session, matrix.indices, matrix.columns)) return;
  throw Error(ErrorKind::kValue, "sparse matrix: an entry lies outside the matrix");
}
void check_whole(Session& session, const SparseArrays& matrix, Place place) {
  if (session.backend(place).is_host()) return;
  check_columns(session, matrix, place);
  const int64_t entries = std::min(matrix.data.size(), matrix.indices.size());
  if (reach_from_0_to(session, matrix.indptr, entries) && is_rising(session, matrix.indptr)) return;
  throw Error(ErrorKind::kValue, "sparse matrix: the index pointer does not fit the entries");
}

// What is known of arrays that a device made of checked ones, so that nobody has to look again.
// (The host's algorithms look at those entries alone which they follow.)
class Made {
 public:
  explicit Made(const SparsePlace& at) : on_device_(!at.session().backend(at.place()).is_host()) {}
  void pointers(const Array& indptr, int64_t entries) const {
    if (!on_device_) return;
    Facts facts(indptr);
    facts.remember_range({0, entries});
    facts.remember_rising();
  }
  void places(const Array& indices, int64_t extent) const {
    if (on_device_ && indices.size() > 0) Facts(indices).remember_range({0, extent - 1});
  }

 private:
  bool on_device_;
};

void check_entries(DType index, int64_t entries) {
  if (index == DType::kInt32 && entries > std::numeric_limits<int32_t>::max()) {
    throw Error(ErrorKind::kOverflow, "sparse matrix: too many entries for indices of 32 bits");
  }
}

}  // namespace

Array sparse_times_dense(Session& session, const SparseArrays& matrix, bool transposed,
                         const Array& dense) {
  check_dtypes(matrix);
  const int64_t inner = transposed ? matrix.rows() : matrix.columns;
  const bool fits = dense.rank() >= 1 && dense.rank() <= 2 && dense.shape()[0] == inner &&
                    dense.dtype() == matrix.data.dtype();
  if (!fits) throw Error(ErrorKind::kValue, "sparse product: dimension mismatch");
  const SparsePlace at(session, matrix.data.space());
  ++session.backend(at.place()).counters.library_calls;
  if (transposed) check_whole(session, matrix, at.place());
  else check_columns(session, matrix, at.place());
  Dims shape = dense.shape();
  shape[0] = transposed ? matrix.columns : matrix.rows();
  const int64_t width = dense.rank() == 2 ? shape[1] : 1;
  const PlacedRows rows(session, matrix, at.place());
  const Elements elements(session, dense, at.place());
  const Array made = make_filled(session, dense.dtype(), shape, at.space(), [&](std::byte* memory) {
    const InterruptScope scope(session.interrupt);
    if (element_count(shape) == 0) return;
    at.family().times_dense(rows.rows(), transposed, elements.data(), width, memory);
  });
  return to_space(session, made, matrix.data.space());
}

Array sparse_diagonal(Session& session, const SparseArrays& matrix, int64_t k) {
  check_dtypes(matrix);
  k = std::clamp(k, -matrix.rows(), matrix.columns);
  const SparsePlace at(session, matrix.data.space());
  ++session.backend(at.place()).counters.library_calls;
  const PlacedRows rows(session, matrix, at.place());
  const Dims shape{diagonal_length(matrix.rows(), matrix.columns, k)};
  const auto fill = [&](std::byte* memory) {
    const InterruptScope scope(session.interrupt);
    if (shape[0] > 0) at.family().diagonal(rows.rows(), k, memory);
  };
  const Array made = make_filled(session, matrix.data.dtype(), shape, at.space(), fill);
  return to_space(session, made, matrix.data.space());
}

SparseArrays sparse_times_sparse(Session& session, const SparseArrays& a, const SparseArrays& b) {
  check_dtypes(a);
  check_dtypes(b);
  const DType dtype = a.data.dtype(), index = a.indptr.dtype();
  if (a.columns != b.rows() || b.data.dtype() != dtype || b.indptr.dtype() != index) {
    throw Error(ErrorKind::kValue, "sparse product: dimension mismatch");
  }
  const SparsePlace at(session, a.data.space());
  ++session.backend(at.place()).counters.library_calls;
  check_whole(session, a, at.place());
  check_whole(session, b, at.place());
  const PlacedRows left(session, a, at.place()), right(session, b, at.place());
  const InterruptScope scope(session.interrupt);
  int64_t entries = 0;
  const Array indptr =
      make_filled(session, index, {a.rows() + 1}, at.space(), [&](std::byte* memory) {
        entries = at.family().count_product(left.rows(), right.rows(), memory);
      });
  check_entries(index, entries);
  const Elements ends(session, indptr, at.place());
  Array indices;
  const Array data = make_filled(session, dtype, {entries}, at.space(), [&](std::byte* values) {
    indices = make_filled(session, index, {entries}, at.space(), [&](std::byte* columns) {
      at.family().fill_product(left.rows(), right.rows(), ends.data(), columns, values);
    });
  });
  Made(at).pointers(indptr, entries);
  Made(at).places(indices, b.columns);
  const Space home = a.data.space();
  return {to_space(session, data, home), to_space(session, indices, home),
          to_space(session, indptr, home), b.columns};
}

SparseArrays turned_sparse(Session& session, const SparseArrays& matrix) {
  check_indices(matrix);
  const SparsePlace at(session, matrix.data.space());
  check_whole(session, matrix, at.place());
  const PlacedRows rows(session, matrix, at.place());
  const DType index = matrix.indptr.dtype();
  const Dims entries = {rows.rows().entries};
  const InterruptScope scope(session.interrupt);
  Array indices, data;
  const Array indptr =
      make_filled(session, index, {matrix.columns + 1}, at.space(), [&](std::byte* ends) {
        indices = make_filled(session, index, entries, at.space(), [&](std::byte* columns) {
          data = make_filled(
              session, matrix.data.dtype(), entries, at.space(),
              [&](std::byte* values) { at.family().turn(rows.rows(), ends, columns, values); });
        });
      });
  Made(at).pointers(indptr, rows.rows().entries);
  Made(at).places(indices, matrix.rows());
  const Space home = matrix.data.space();
  return {to_space(session, data, home), to_space(session, indices, home),
          to_space(session, indptr, home), matrix.rows()};
}

SparseArrays sorted_sparse(Session& session, const SparseArrays& matrix) {
  check_indices(matrix);
  const SparsePlace at(session, matrix.data.space());
  check_whole(session, matrix, at.place());
  const PlacedRows rows(session, matrix, at.place());
  const Dims entries = {rows.rows().entries};
  const InterruptScope scope(session.interrupt);
  Array data;
  const Array indices =
      make_filled(session, matrix.indptr.dtype(), entries, at.space(), [&](std::byte* columns) {
        data =
            make_filled(session, matrix.data.dtype(), entries, at.space(),
                        [&](std::byte* values) { at.family().sort(rows.rows(), columns, values); });
      });
  Made(at).places(indices, matrix.columns);
  const Space home = matrix.data.space();
  return {to_space(session, data, home), to_space(session, indices, home), matrix.indptr,
          matrix.columns};
}

SparseUnion sparse_union(Session& session, const SparseArrays& a, const SparseArrays& b) {
  check_indices(a);
  check_indices(b);
  const DType index = a.indptr.dtype();
  const bool alike = a.rows() == b.rows() && a.columns == b.columns && b.indptr.dtype() == index &&
                     item_size(a.data.dtype()) == item_size(b.data.dtype());
  if (!alike) throw Error(ErrorKind::kValue, "sparse matrices: shapes or dtypes differ");
  const SparsePlace at(session, a.data.space());
  check_whole(session, a, at.place());
  check_whole(session, b, at.place());
  const PlacedRows left(session, a, at.place()), right(session, b, at.place());
  const InterruptScope scope(session.interrupt);
  int64_t entries = 0;
  const Array indptr =
      make_filled(session, index, {a.rows() + 1}, at.space(), [&](std::byte* memory) {
        entries = at.family().count_union(left.rows(), right.rows(), memory);
      });
  check_entries(index, entries);
  const Elements ends(session, indptr, at.place());
  Array indices, first, second;
  indices = make_filled(session, index, {entries}, at.space(), [&](std::byte* columns) {
    first = make_filled(session, a.data.dtype(), {entries}, at.space(), [&](std::byte* values) {
      second = make_filled(session, b.data.dtype(), {entries}, at.space(), [&](std::byte* others) {
        at.family().fill_union(left.rows(), right.rows(), ends.data(), columns, values, others);
      });
    });
  });
  Made(at).pointers(indptr, entries);
  Made(at).places(indices, a.columns);
  const Space home = a.data.space();
  return {to_space(session, first, home), to_space(session, second, home),
          to_space(session, indices, home), to_space(session, indptr, home)};
}

Array solve_sparse_triangular(Session& session, const SparseArrays& matrix, bool lower, bool unit,
                              const Array& right) {
  check_dtypes(matrix);
  const bool fits = right.rank() >= 1 && right.rank() <= 2 && right.shape()[0] == matrix.rows() &&
                    matrix.rows() == matrix.columns && right.dtype() == matrix.data.dtype();
  if (!fits) throw Error(ErrorKind::kValue, "sparse triangular solve: dimension mismatch");
  const SystemsPlace at(session, matrix.data.space());
  const int64_t width = right.rank() == 2 ? right.shape()[1] : 1;
  const PlacedRows rows(session, matrix, at.place());
  const Elements elements(session, right, at.place());
  const auto bytes = static_cast<size_t>(right.size() * right.dtype().item_size());
  const Array made =
      make_filled(session, right.dtype(), right.shape(), at.space(), [&](std::byte* memory) {
        const InterruptScope scope(session.interrupt);
        if (bytes == 0) return;
        std::memcpy(memory, elements.data(), bytes);
        at.family().solve_triangular(rows.rows(), lower, unit, width, memory);
      });
  return to_space(session, made, matrix.data.space());
}

std::optional<SparseFactorArrays> factorise_sparse(Session& session, const SparseArrays& by_columns,
                                                   const FactorOptions& options) {
  check_indices(by_columns);
  const PlacedRows matrix(session, by_columns, kHostPlace);
  const auto found =
      session.backend(kHostPlace).sparse_systems()->factorise(matrix.rows(), options);
  if (!found) return std::nullopt;
  const Space home = by_columns.data.space();
  const auto ints = [&](const std::vector<int32_t>& numbers) {
    return from_host(session, DType::kInt32, {static_cast<int64_t>(numbers.size())}, numbers.data(),
                     home);
  };
  const auto part = [&](const SparseFactors::Part& each) {
    const auto count = static_cast<int64_t>(each.indices.size());
    return SparseArrays{
        from_host(session, by_columns.data.dtype(), {count}, each.data.data(), home),
        ints(each.indices), ints(each.indptr), by_columns.rows()};
  };
  return SparseFactorArrays{part(found->lower), part(found->upper), ints(found->rows),
                            ints(found->columns), found->stored};
}

}  // namespace gpy::rt
