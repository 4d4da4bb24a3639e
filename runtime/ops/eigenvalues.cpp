// eigh and eig: eigenvalues and eigenvectors of stacks of matrices.

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/index.h"
#include "runtime/ops/matrix_stacks.h"
#include "runtime/ops/products.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {

namespace {

void need_converged(const char* what, const std::vector<int>& info) {
  need_accepted(what, info);
  if (std::any_of(info.begin(), info.end(), [](int each) { return each != 0; })) {
    fail(ErrorKind::kLinAlg, "Eigenvalues did not converge");
  }
}

bool is_finite(Session& session, const Array& array) {
  const Array finite = ops::isfinite(session, array);
  return item(session, reduce(session, Fold::logical_and, finite, {})).truth();
}

Array empty_values(Session& session, DType dtype, const Array& a) {
  Dims shape = batch_of(a);
  shape.push_back(extent(a, 1));
  return make_empty(session, dtype, shape, a.space());
}

bool is_zero(Session& session, const Array& array) {
  const Array equal = ops::equal(session, array, Scalar::of(array.dtype(), int64_t{0}));
  return item(session, reduce(session, Fold::logical_and, equal, {})).truth();
}

// The complex vectors from geev's real columns: those of a conjugate pair of values hold the real
// and the imaginary part of the first of its two vectors.
Array joined_vectors(Session& session, const Array& columns, const Array& imaginary) {
  const int64_t above[] = {-2};
  const Scalar zero = Scalar::of(columns.dtype(), int64_t{0});
  const Array sign = expand_dims(imaginary, above);
  const Array is_first = ops::greater(session, sign, zero);
  const Array is_second = ops::less(session, sign, zero);
  const Array before = roll(session, columns, 1, -1), after = roll(session, columns, -1, -1);
  const Array unpaired = ops::where(session, is_second, ops::negative(session, columns), zero);
  const Array joined =
      make_empty(session, complex_type(columns.dtype()), columns.shape(), columns.space());
  write(session, real_part(joined), ops::where(session, is_second, before, columns));
  write(session, imag_part(session, joined), ops::where(session, is_first, after, unpaired));
  return joined;
}

}  // namespace

Eigen eigh(Session& session, const Array& a, bool upper, bool vectors) {
  need_square(a);
  const DType result = library_type(a.dtype()), dtype = working_type(session, result, a.space());
  const Array v = column_copy(session, a, dtype);
  const Array w = empty_values(session, real_type(dtype), a);
  std::vector<int> info(a.size() > 0 ? element_count(batch_of(a)) : 0, 0);
  if (a.size() > 0) {
    const Work on_v(session, v), on_w(session, w);
    Routines(session, a.space())
        ->eigh(dtype, extent(a, 1), upper, vectors, on_v.data(), on_w.data(),
               static_cast<int64_t>(info.size()), info.data());
  }
  need_converged("eigh", info);
  return {finished(session, w, real_type(result)),
          vectors ? finished(session, v, result) : Array()};
}

Eigen eig(Session& session, const Array& a, bool vectors) {
  need_square(a);
  const DType result = library_type(a.dtype()), dtype = working_type(session, result, a.space());
  if (!is_finite(session, a)) fail(ErrorKind::kLinAlg, "Array must not contain infs or NaNs");
  const Array work = column_copy(session, a, dtype);
  const Array w = empty_values(session, complex_type(dtype), a);
  const Array v = vectors ? empty_columns(session, dtype, a.shape(), a.space()) : Array();
  std::vector<int> info(a.size() > 0 ? element_count(batch_of(a)) : 0, 0);
  if (a.size() > 0) {
    const Work on_a(session, work), on_w(session, w);
    const std::optional<Work> on_v = vectors ? std::make_optional<Work>(session, v) : std::nullopt;
    Routines(session, a.space(), LinalgPart::kEigenvalues)
        ->eig(dtype, extent(a, 1), on_a.data(), on_w.data(), on_v ? on_v->data() : nullptr,
              static_cast<int64_t>(info.size()), info.data());
  }
  need_converged("eig", info);
  if (is_complex(dtype)) {
    return {finished(session, w, result), vectors ? finished(session, v, result) : Array()};
  }
  const Array imaginary = imag_part(session, w);
  if (is_zero(session, imaginary)) {
    return {finished(session, real_part(w), result),
            vectors ? finished(session, v, result) : Array()};
  }
  const DType complex = complex_type(result);
  return {finished(session, w, complex),
          vectors ? finished(session, joined_vectors(session, v, imaginary), complex) : Array()};
}

}  // namespace gpy::rt
