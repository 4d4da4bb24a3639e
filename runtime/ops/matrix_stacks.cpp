#include "runtime/ops/matrix_stacks.h"

#include <utility>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/make_node.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"

namespace gpy::rt {

int64_t extent(const Array& array, int from_end) { return array.shape()[array.rank() - from_end]; }

void need_matrix(const Array& array) {
  if (array.rank() >= 2) return;
  fail(ErrorKind::kLinAlg, "{}-dimensional array given. Array must be at least two-dimensional",
       array.rank());
}

void need_square(const Array& array) {
  need_matrix(array);
  if (extent(array, 1) != extent(array, 2)) {
    fail(ErrorKind::kLinAlg, "Last 2 dimensions of the array must be square");
  }
}

DType library_type(DType dtype) {
  const DType native = dtype.native();
  if (native == DType::kFloat16) {
    fail(ErrorKind::kType, "array type {} is unsupported in linalg", name(native));
  }
  return is_inexact(native) && is_numpys_own(native) ? native : DType::kFloat64;
}

DType working_type(Session& session, DType result, Space space) {
  if (session.place_of(space) != kHostPlace) return result;
  return is_complex(result) ? DType::kComplex128 : DType::kFloat64;
}

Dims batch_of(const Array& array) { return Dims(array.shape().span().first(array.rank() - 2)); }

Dims matrix_shape(const Dims& batch, int64_t rows, int64_t cols) {
  Dims shape = batch;
  shape.push_back(rows);
  shape.push_back(cols);
  return shape;
}

static Dims column_major(const Dims& shape, int64_t item) {
  Dims swapped = shape;
  std::swap(swapped[shape.size() - 1], swapped[shape.size() - 2]);
  Dims strides = c_strides(swapped, item);
  std::swap(strides[shape.size() - 1], strides[shape.size() - 2]);
  return strides;
}

Array empty_columns(Session& session, DType dtype, const Dims& shape, Space space) {
  const Dims strides = column_major(shape, item_size(dtype));
  return make_empty(session, dtype, shape, space, &strides);
}

static Array evaluated_copy(Session& session, const Array& array, DType dtype,
                            const Dims& strides) {
  const Array whole = array.as_array();
  const Array out = make_cast(session, make_input(whole, whole.shape()), dtype, array.shape(),
                              array.space(), &strides);
  evaluate(session, *out.value());
  return out;
}

Array column_copy(Session& session, const Array& array, DType dtype) {
  return evaluated_copy(session, array, dtype, column_major(array.shape(), item_size(dtype)));
}

Array row_copy(Session& session, const Array& array, DType dtype) {
  return evaluated_copy(session, array, dtype, c_strides(array.shape(), item_size(dtype)));
}

Array finished(Session& session, const Array& array, DType result) {
  return astype(session, array, result, Casting::kUnsafe, false, 'C');
}

static Linalg& library(Session& session, Space space, LinalgPart part) {
  Linalg& linalg = session.runtime().linalg(session.place_of(space), part);
  ++session.backend_of(space).counters.library_calls;
  return linalg;
}

Routines::Routines(Session& session, Space space, LinalgPart part)
    : scope_(session.interrupt), linalg_(library(session, space, part)) {}

void need_accepted(const char* what, const std::vector<int>& info) {
  for (const int each : info) {
    if (each < 0) fail(ErrorKind::kRuntime, "{}: the library gave info {}", what, each);
  }
}

}  // namespace gpy::rt
