#pragma once

// What operations on stacks of matrices have in common that LAPACK or cuSOLVER do: they work on
// column-major copies.

#include <vector>

#include "runtime/core/array.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/write_access.h"
#include "runtime/linalg/linalg.h"
#include "runtime/session.h"

namespace gpy::rt {

// The extent of an axis counted from the end: 1 is the last.
int64_t extent(const Array& array, int from_end);
// Throw kLinAlg.
void need_matrix(const Array& array);
void need_square(const Array& array);

// The type of the results for elements of `dtype`. Throws kType.
DType library_type(DType dtype);
// The type that is computed in: on the host double, whatever the result, as NumPy does.
DType working_type(Session& session, DType result, Space space);

// The shape of the stack.
Dims batch_of(const Array& array);
Dims matrix_shape(const Dims& batch, int64_t rows, int64_t cols);

Array empty_columns(Session& session, DType dtype, const Dims& shape, Space space);
Array column_copy(Session& session, const Array& array, DType dtype);
Array row_copy(Session& session, const Array& array, DType dtype);
// What a library has left, as the result: in C order, in its type.
Array finished(Session& session, const Array& array, DType result);

// An array's memory while a library writes it.
class Work {
 public:
  Work(Session& session, const Array& array)
      : access_(session, array, session.place_of(array.space())) {}
  void* data() const { return access_.data(); }

 private:
  WriteAccess access_;
};

// A library's routines, with interrupts between them: their matrices are dropped then.
class Routines {
 public:
  Routines(Session& session, Space space, LinalgPart part = LinalgPart::kFactorisations);
  Linalg* operator->() const { return &linalg_; }

 private:
  InterruptScope scope_;
  Linalg& linalg_;
};

// A routine that refuses an argument is our bug, and says nothing of the matrix.
void need_accepted(const char* what, const std::vector<int>& info);

}  // namespace gpy::rt
