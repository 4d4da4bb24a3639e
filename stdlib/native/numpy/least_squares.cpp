// Least squares, and what is fitted by them: polynomials, and their values.
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

rt::Array inexact(Interpreter& vm, const rt::Array& array) {
  return rt::is_inexact(array.dtype()) ? array
                                       : rt::astype(session(vm), array, rt::DType::kFloat64);
}

// A row's numbers as a column beside each vector of `b`.
rt::Array beside(const rt::Array& row, const rt::Array& b) {
  const int64_t last[] = {1};
  return b.rank() == 1 ? row : rt::expand_dims(row, last);
}

// --- polynomials ---------------------------------------------------------------------------------

// (p, x), the highest power first: Horner's rule.
Value polyval(Interpreter& vm, Args args) {
  const rt::Array p = array_argument(vm, args, 0);
  const rt::Array x = array_argument(vm, args, 1);
  if (p.rank() == 0) vm.raise_type_error("iteration over a 0-d array");
  rt::Array y =
      rt::full(session(vm), x.shape(), rt::Scalar::weak(int64_t{0}), x.dtype(), x.space());
  if (p.size() == 0) return wrap_array(vm, y);
  for (int64_t i = 0; i < p.shape()[0]; ++i) {
    vm.poll();
    const rt::Array coefficient = rt::get_items(session(vm), p, std::vector<rt::IndexItem>{i});
    y = apply(vm, "add", {apply(vm, "multiply", {y, x}), coefficient});
  }
  return wrap_result(vm, y);
}

void check_fit(Interpreter& vm, const rt::Array& x, const rt::Array& y, int64_t degree) {
  if (degree < 0) vm.raise_value_error("expected deg >= 0");
  if (x.rank() != 1) vm.raise_type_error("expected 1D vector for x");
  if (x.size() == 0) vm.raise_type_error("expected non-empty vector for x");
  if (y.rank() < 1 || y.rank() > 2) vm.raise_type_error("expected 1D or 2D array for y");
  if (x.shape()[0] != y.shape()[0]) vm.raise_type_error("expected x and y to have same length");
}

// (x, y, deg, rcond, w): powers scaled to length one, as NumPy has them.
Value polyfit(Interpreter& vm, Args args) {
  rt::Session& state = session(vm);
  const rt::Array x = inexact(vm, array_argument(vm, args, 0));
  rt::Array y = inexact(vm, array_argument(vm, args, 1));
  const int64_t degree = vm.to_index(args[2]);
  check_fit(vm, x, y, degree);
  const int64_t column[] = {1}, backwards[] = {0};
  const rt::Array exponents = rt::flip(rt::iota(state, {degree + 1}, x.space()), backwards);
  rt::Array powers = apply(vm, "power", {rt::expand_dims(x, column), exponents});
  if (is_given(args[4])) {
    const rt::Array weights = to_array(vm, args[4], namespace_or_numpy(args));
    if (weights.rank() != 1) vm.raise_type_error("expected a 1-d array for weights");
    if (weights.size() != x.size()) vm.raise_type_error("expected w and y to have the same length");
    powers = apply(vm, "multiply", {powers, rt::expand_dims(weights, column)});
    y = apply(vm, "multiply", {y, beside(weights, y)});
  }
  rt::ReduceOptions down;
  down.axes = std::vector<int64_t>{0};
  const rt::Array squares = apply(vm, "multiply", {powers, powers});
  const rt::Array scale = apply(vm, "sqrt", {rt::reduce(state, "add", squares, down)});
  const double cut =
      is_given(args[3]) ? vm.to_real(args[3]) : static_cast<double>(x.size()) * 0x1p-52;
  const LeastSquares found = least_squares(vm, apply(vm, "divide", {powers, scale}), y, cut);
  const rt::Scalar full = rt::Scalar::weak(degree + 1);
  warn_where(vm, apply(vm, "less", {found.rank, full}), "Polyfit may be poorly conditioned");
  return wrap_array(vm, apply(vm, "divide", {found.x, beside(scale, found.x)}));
}

const Native kFunctions[] = {
    {"polyfit", "(x, y, deg, rcond=None, w=None)", polyfit,
     "The polynomial nearest to points, its highest power first."},
    {"polyval", "(p, x)", polyval, "The value of a polynomial, its highest power first."},
};

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

Family polynomial_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
