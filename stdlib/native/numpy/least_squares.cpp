// Least squares.
#include "stdlib/native/numpy/least_squares.h"

#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/products.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

rt::Array adjoint(Interpreter& vm, const rt::Array& m) {
  const rt::Array flipped = rt::swap_axes(m, -1, -2);
  return rt::is_complex(m.dtype()) ? apply(vm, "conjugate", {flipped}) : flipped;
}

// A row's numbers as a column beside each vector of `b`.
rt::Array beside(const rt::Array& row, const rt::Array& b) {
  const int64_t last[] = {1};
  return b.rank() == 1 ? row : rt::expand_dims(row, last);
}

}  // namespace

LeastSquares least_squares(Interpreter& vm, const rt::Array& a, const rt::Array& b, double cut) {
  rt::Session& state = session(vm);
  const rt::Array finite = rt::reduce(state, "logical_and", apply(vm, "isfinite", {a}), {});
  if (!rt::item(state, finite).truth()) {
    vm.raise(arrays(vm).linalg_error, "SVD did not converge in Linear Least Squares");
  }
  const rt::SVD svd = rt::svd(state, a, false, true);
  rt::ReduceOptions or_none;
  or_none.initial = rt::Scalar::weak(0.0);
  const rt::Array largest = rt::reduce(state, "maximum", svd.s, or_none);
  const rt::Array counts =
      apply(vm, "greater", {svd.s, apply(vm, "multiply", {largest, rt::Scalar::weak(cut)})});
  const rt::Array safe = apply(vm, "where", {counts, svd.s, rt::Scalar::weak(1.0)});
  const rt::Array inverse =
      apply(vm, "where",
            {counts, apply(vm, "divide", {rt::Scalar::weak(1.0), safe}), rt::Scalar::weak(0.0)});
  const rt::Array turned = rt::matmul(session(vm), adjoint(vm, svd.u), b);
  const rt::Array scaled = apply(vm, "multiply", {turned, beside(inverse, b)});
  return {rt::matmul(session(vm), adjoint(vm, svd.vh), scaled), svd.s,
          rt::reduce(session(vm), "count_nonzero", counts, {})};
}

}  // namespace gpy::lib
