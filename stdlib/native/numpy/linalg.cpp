// numpy.linalg: systems of equations, factorisations.
#include <algorithm>
#include <cmath>

#include "runtime/core/error_facts.h"
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/products.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "stdlib/native/numpy/comparison.h"
#include "stdlib/native/numpy/least_squares.h"
#include "stdlib/native/numpy/named_tuple.h"
#include "stdlib/native/numpy/norm.h"
#include "stdlib/native/numpy/open.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

Value solve(Interpreter& vm, Args args) {
  return wrap_array(
      vm, rt::solve(session(vm), array_argument(vm, args, 0), array_argument(vm, args, 1)));
}

Value inv(Interpreter& vm, Args args) {
  return wrap_array(vm, rt::inverse(session(vm), array_argument(vm, args)));
}

Value det(Interpreter& vm, Args args) {
  return wrap_result(vm, rt::determinant(session(vm), array_argument(vm, args)));
}

constexpr const char* kSlogdet[] = {"sign", "logabsdet"};

Value slogdet(Interpreter& vm, Args args) {
  const rt::LogDeterminant found = rt::log_determinant(session(vm), array_argument(vm, args));
  const Value values[] = {wrap_result(vm, found.sign), wrap_result(vm, found.log)};
  return make_named_tuple(vm, "SlogdetResult", kSlogdet, values);
}

Value cholesky(Interpreter& vm, Args args) {
  return wrap_array(vm, rt::cholesky(session(vm), array_argument(vm, args), vm.truth(args[1])));
}

constexpr const char* kQr[] = {"Q", "R"};

Value qr(Interpreter& vm, Args args) {
  const std::string_view mode = vm.to_text(args[1], "mode");
  const rt::Array a = array_argument(vm, args);
  if (mode == "r") return wrap_array(vm, rt::qr(session(vm), a, rt::QRMode::kR).r);
  if (mode != "reduced" && mode != "complete") {
    vm.raise_value_error("Unrecognized mode '{}'", mode);
  }
  const rt::QR found =
      rt::qr(session(vm), a, mode == "complete" ? rt::QRMode::kComplete : rt::QRMode::kReduced);
  const Value values[] = {wrap_array(vm, found.q), wrap_array(vm, found.r)};
  return make_named_tuple(vm, "QRResult", kQr, values);
}

constexpr const char* kSvd[] = {"U", "S", "Vh"};

Value svd(Interpreter& vm, Args args) {
  const rt::Array a = array_argument(vm, args);
  if (!vm.truth(args[2])) return wrap_array(vm, rt::svd(session(vm), a, false, false).s);
  const rt::SVD found = rt::svd(session(vm), a, vm.truth(args[1]), true);
  const Value values[] = {wrap_array(vm, found.u), wrap_array(vm, found.s),
                          wrap_array(vm, found.vh)};
  return make_named_tuple(vm, "SVDResult", kSvd, values);
}

Value svdvals(Interpreter& vm, Args args) {
  return wrap_array(vm, rt::svd(session(vm), array_argument(vm, args), false, false).s);
}

rt::Array at_end(Interpreter& vm, const rt::Array& array, int64_t i) {
  return rt::get_items(session(vm), array, std::vector<rt::IndexItem>{rt::EllipsisIndex{}, i});
}

double epsilon(rt::DType dtype) {
  return rt::real_type(dtype) == rt::DType::kFloat32 ? 0x1p-23 : 0x1p-52;
}

// (A, tol, hermitian): singular values above the tolerance.
Value matrix_rank(Interpreter& vm, Args args) {
  const rt::Array a = array_argument(vm, args);
  if (a.rank() < 2) {
    const rt::Array any = rt::reduce(session(vm), "logical_or", a, {});
    return Value::integer(rt::item(session(vm), any).truth() ? 1 : 0);
  }
  const rt::Array s = rt::svd(session(vm), a, false, false).s;
  const int64_t size = std::max(a.shape()[a.rank() - 1], a.shape()[a.rank() - 2]);
  rt::ReduceOptions last;
  last.axes = std::vector<int64_t>{-1};
  last.keepdims = true;
  last.initial = rt::Scalar::weak(0.0);
  rt::Operand limit = apply(vm, "multiply",
                            {rt::reduce(session(vm), "maximum", s, last),
                             rt::Scalar::weak(static_cast<double>(size) * epsilon(s.dtype()))});
  if (is_given(args[1])) limit = to_operand(vm, args[1], namespace_or_numpy(args));
  last.keepdims = false;
  last.initial = {};
  return wrap_result(
      vm, rt::reduce(session(vm), "count_nonzero", apply(vm, "greater", {s, limit}), last));
}

// (a, rcond): V diag(1/s) U*, small singular values left out.
Value pinv(Interpreter& vm, Args args) {
  const rt::Array a = array_argument(vm, args);
  const rt::SVD found = rt::svd(session(vm), a, false, true);
  const double cut = is_given(args[1]) ? vm.to_real(args[1]) : 1e-15;
  rt::ReduceOptions last;
  last.axes = std::vector<int64_t>{-1};
  last.keepdims = true;
  last.initial = rt::Scalar::weak(0.0);  // of none
  const rt::Array limit = apply(
      vm, "multiply", {rt::reduce(session(vm), "maximum", found.s, last), rt::Scalar::weak(cut)});
  const rt::Array large = apply(vm, "greater", {found.s, limit});
  const rt::Array safe = apply(vm, "where", {large, found.s, rt::Scalar::weak(1.0)});
  const rt::Array inverse =
      apply(vm, "where",
            {large, apply(vm, "divide", {rt::Scalar::weak(1.0), safe}), rt::Scalar::weak(0.0)});
  auto adjoint = [&](const rt::Array& m) {
    const rt::Array flipped = rt::swap_axes(m, -1, -2);
    return rt::is_complex(m.dtype()) ? apply(vm, "conjugate", {flipped}) : flipped;
  };
  const int64_t column[] = {inverse.rank()};
  const rt::Array scaled =
      apply(vm, "multiply", {rt::expand_dims(inverse, column), adjoint(found.u)});
  return wrap_array(vm, rt::matmul(session(vm), adjoint(found.vh), scaled));
}

// Inverses; NaN in place of those of singular matrices.
rt::Array inverse_or_nan(Interpreter& vm, const rt::Array& a) {
  rt::Session& state = session(vm);
  try {
    return rt::inverse(state, a);
  } catch (const rt::SingularError&) {
  }
  const rt::Array sign = rt::log_determinant(state, a).sign;
  const int64_t last[] = {sign.rank(), sign.rank() + 1};
  const rt::Array regular =
      rt::expand_dims(apply(vm, "not_equal", {sign, rt::Scalar::weak(0.0)}), last);
  const rt::Array identity =
      rt::eye(state, a.shape().back(), a.shape().back(), 0, a.dtype(), a.space());
  const rt::Array inverses = rt::inverse(state, apply(vm, "where", {regular, a, identity}));
  return apply(vm, "where", {regular, inverses, rt::Scalar::weak(NAN)});
}

rt::Array any_nan(Interpreter& vm, const rt::Array& matrices) {
  rt::ReduceOptions last;
  last.axes = std::vector<int64_t>{-2, -1};
  return rt::reduce(session(vm), "logical_or", apply(vm, "isnan", {matrices}), last);
}

// (x, p): by singular values, or by the norm of the inverse.
rt::Array condition(Interpreter& vm, const rt::Array& a, const Value& p) {
  const double order = !is_given(p) ? 2 : p.is<Str>() ? 0 : vm.to_real(p);
  if (std::abs(order) == 2) {
    const rt::Array s = rt::svd(session(vm), a, false, false).s;
    const int64_t above = order < 0 ? -1 : 0;
    return apply(vm, "divide", {at_end(vm, s, above), at_end(vm, s, -1 - above)});
  }
  return apply(vm, "multiply", {matrix_norm(vm, a, p), matrix_norm(vm, inverse_or_nan(vm, a), p)});
}

// What is no number is infinite, unless a NaN was given.
Value cond(Interpreter& vm, Args args) {
  const rt::Array a = array_argument(vm, args);
  const int rank = a.rank();
  if (a.size() == 0 && (rank < 2 || a.shape()[rank - 1] == 0 || a.shape()[rank - 2] == 0)) {
    vm.raise(arrays(vm).linalg_error, "cond is not defined on empty arrays");
  }
  const Quiet quiet(session(vm));
  const rt::Array found = condition(vm, a, args[1]);
  const rt::Array lost = apply(
      vm, "logical_and", {apply(vm, "isnan", {found}), apply(vm, "logical_not", {any_nan(vm, a)})});
  return wrap_result(vm, apply(vm, "where", {lost, rt::Scalar::weak(INFINITY), found}));
}

// Repeated squaring.
Value matrix_power(Interpreter& vm, Args args) {
  rt::Session& state = session(vm);
  rt::Array a = array_argument(vm, args);
  if (a.rank() < 2 || a.shape()[a.rank() - 1] != a.shape()[a.rank() - 2]) {
    vm.raise(arrays(vm).linalg_error, "Last 2 dimensions of the array must be square");
  }
  int64_t n = vm.to_index(args[1]);
  if (n < 0) a = rt::inverse(state, a);
  n = std::abs(n);
  if (n == 0) {
    const int64_t size = a.shape().back();
    const rt::Array one = rt::eye(state, size, size, 0, a.dtype(), a.space());
    return wrap_array(vm, rt::copy(state, rt::broadcast_to(one, a.shape()), 'C'));
  }
  std::optional<rt::Array> result;
  for (; n > 0; n >>= 1) {
    if (n & 1) result = result ? rt::matmul(state, *result, a) : a;
    if (n > 1) a = rt::matmul(state, a, a);
  }
  return wrap_array(vm, rt::copy(state, *result));
}

Value multi_dot(Interpreter& vm, Args args) {
  const std::vector<rt::Array> factors = array_list(vm, args[0], namespace_or_numpy(args));
  if (factors.size() < 2) vm.raise_value_error("Expecting at least two arrays.");
  rt::Array product = factors[0];
  for (size_t i = 1; i < factors.size(); ++i) product = rt::dot(session(vm), product, factors[i]);
  return wrap_result(vm, product);
}

Value norm(Interpreter& vm, Args args) {
  return wrap_result(vm,
                     array_norm(vm, array_argument(vm, args), args[1], args[2], vm.truth(args[3])));
}

rt::Array as_floats(Interpreter& vm, const rt::Array& array) {
  return rt::is_inexact(array.dtype()) ? array
                                       : rt::astype(session(vm), array, rt::DType::kFloat64);
}

// The squared distances that are left, where the rows are more than the unknowns and these all
// known.
rt::Array residuals(Interpreter& vm, const rt::Array& a, const rt::Array& b,
                    const LeastSquares& found) {
  rt::Session& state = session(vm);
  const bool full = rt::item(state, found.rank).as_int() == a.shape()[1];
  if (!full || a.shape()[0] <= a.shape()[1]) {
    return rt::empty(state, {0}, rt::real_type(found.x.dtype()), a.space());
  }
  const rt::Array off =
      apply(vm, "absolute", {apply(vm, "subtract", {b, rt::matmul(state, a, found.x)})});
  rt::ReduceOptions down;
  down.axes = std::vector<int64_t>{0};
  const rt::Array sums = rt::reduce(state, "add", apply(vm, "square", {off}), down);
  return rt::reshape(state, sums, rt::Dims{sums.size()});
}

// (a, b, rcond)
Value lstsq(Interpreter& vm, Args args) {
  const rt::Array a = as_floats(vm, array_argument(vm, args, 0)),
                  b = as_floats(vm, array_argument(vm, args, 1));
  if (a.rank() != 2) {
    vm.raise(arrays(vm).linalg_error,
             fmt::format("{}-dimensional array given. Array must be two-dimensional", a.rank()));
  }
  if (b.rank() < 1 || b.rank() > 2 || a.shape()[0] != b.shape()[0]) {
    vm.raise(arrays(vm).linalg_error, "Incompatible dimensions");
  }
  const double size = static_cast<double>(std::max(a.shape()[0], a.shape()[1]));
  const double cut = is_given(args[2]) ? vm.to_real(args[2]) : size * epsilon(a.dtype());
  const LeastSquares found = least_squares(vm, a, b, cut);
  return vm.tuple({wrap_array(vm, found.x), wrap_array(vm, residuals(vm, a, b, found)),
                   wrap_result(vm, rt::astype(session(vm), found.rank, rt::DType::kInt32)),
                   wrap_array(vm, found.singular)});
}

// --- what the module numpy has as well -----------------------------------------------------------

Value module_of(Interpreter& vm, const Args& args) {
  return vm.import_module(namespace_or_numpy(args).name);
}

Value outer(Interpreter& vm, Args args) {
  const int a = array_argument(vm, args, 0).rank(), b = array_argument(vm, args, 1).rank();
  if (a != 1 || b != 1) {
    vm.raise_value_error(
        "Input arrays must be one-dimensional, but they are x1.ndim={} and x2.ndim={}.", a, b);
  }
  return vm.call_method(module_of(vm, args), "outer", {args[0], args[1]});
}

Value cross(Interpreter& vm, Args args) {
  return vm.call_method(module_of(vm, args), "cross", {args[0], args[1]});
}

Value vecdot(Interpreter& vm, Args args) {
  return vm.call_method(module_of(vm, args), "vecdot", {args[0], args[1]});
}

// Of the last two axes, unlike numpy.trace and numpy.diagonal.
template <const char* kName> Value of_matrices(Interpreter& vm, Args args) {
  const Value row = Value::integer(-2), column = Value::integer(-1);
  return vm.call_method(module_of(vm, args), kName, {args[0], args[1], row, column});
}

Value matrix_transpose(Interpreter& vm, Args args) {
  const rt::Array x = array_argument(vm, args);
  if (x.rank() < 2) {
    vm.raise_value_error("Input array must be at least 2-dimensional, but it is {}", x.rank());
  }
  return wrap_array(vm, rt::swap_axes(x, -1, -2));
}

// (x, keepdims, ord)
Value norm_of_matrices(Interpreter& vm, Args args) {
  const Value axes = vm.tuple({Value::integer(-2), Value::integer(-1)});
  return wrap_result(vm,
                     array_norm(vm, array_argument(vm, args), args[2], axes, vm.truth(args[1])));
}

// (x, axis, keepdims, ord)
Value norm_of_vectors(Interpreter& vm, Args args) {
  const rt::Array x = array_argument(vm, args);
  const bool keepdims = vm.truth(args[2]);
  if (is_given(args[1])) {
    if (!vm.has_index(args[1]))
      vm.raise_not_implemented_error("vector_norm: axis must be one int or None");
    return wrap_result(vm, array_norm(vm, x, args[3], args[1], keepdims));
  }
  const rt::Array found =
      array_norm(vm, rt::ravel(session(vm), x), args[3], Value::integer(0), false);
  return wrap_result(vm, keepdims ? rt::reshape(session(vm), found, rt::Dims(x.rank(), 1)) : found);
}

constexpr char kTrace[] = "trace";
constexpr char kDiagonal[] = "diagonal";

const Native kFunctions[] = {
    {"solve", "(a, b)", solve, "x where a x = b."},
    {"inv", "(a)", inv, "The inverse of matrices."},
    {"det", "(a)", det, "The determinant of matrices."},
    {"slogdet", "(a)", slogdet, "Sign and logarithm of the determinant."},
    {"cholesky", "(a, /, *, upper=False)", cholesky,
     "The triangular factor of positive definite matrices."},
    {"qr", "(a, mode='reduced')", qr, "An orthogonal and a triangular factor."},
    {"svd", "(a, full_matrices=True, compute_uv=True, hermitian=False)", svd,
     "The singular value decomposition."},
    {"svdvals", "(x, /)", svdvals, "The singular values."},
    {"norm", "(x, ord=None, axis=None, keepdims=False)", norm, "The norm of vectors or matrices."},
    {"matrix_rank", "(A, tol=None, hermitian=False)", matrix_rank, "The rank, by singular values."},
    {"pinv", "(a, rcond=None, hermitian=False)", pinv, "The pseudo-inverse."},
    {"cond", "(x, p=None)", cond, "The condition number."},
    {"matrix_power", "(a, n)", matrix_power, "A matrix to an integer power."},
    {"multi_dot", "(arrays)", multi_dot, "The product of several matrices."},
    {"lstsq", "(a, b, rcond=None)", lstsq,
     "x where a x is nearest to b, with residuals, rank, singular values."},
    {"outer", "(x1, x2, /)", outer,
     "Every product of an element of one vector with one of another."},
    {"cross", "(x1, x2, /)", cross, "The cross product of vectors of three."},
    {"vecdot", "(x1, x2, /)", vecdot, "The dot products of vectors along the last axis."},
    {"trace", "(x, /, *, offset=0)", of_matrices<kTrace>, "The sum of the diagonal of matrices."},
    {"diagonal", "(x, /, *, offset=0)", of_matrices<kDiagonal>,
     "A diagonal of matrices; a read-only view."},
    {"matrix_transpose", "(x, /)", matrix_transpose,
     "Matrices with rows and columns exchanged; a view."},
    {"matrix_norm", "(x, /, *, keepdims=False, ord='fro')", norm_of_matrices,
     "The norm of matrices."},
    {"vector_norm", "(x, /, *, axis=None, keepdims=False, ord=2)", norm_of_vectors,
     "The norm of vectors."},
};

}  // namespace

Value open_linalg(Interpreter& vm, const Namespace& names) {
  Ref<Module> module = make_part(vm, names, "linalg", kFunctions);
  module->set(vm, "LinAlgError", Value(static_cast<Object*>(arrays(vm).linalg_error)));
  return module;
}

}  // namespace gpy::lib
