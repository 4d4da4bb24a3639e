// numpy.linalg: systems of equations, factorisations.
#include <cmath>

#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/products.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "stdlib/native/numpy/named_tuple.h"
#include "stdlib/native/numpy/norm.h"
#include "stdlib/native/numpy/open.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

Value solve(Interpreter& vm, Args args) {
  return wrap_array(vm, rt::solve(session(vm), array_argument(vm, args, 0), array_argument(vm, args, 1)));
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
  const Value values[] = {wrap_array(vm, found.u), wrap_array(vm, found.s), wrap_array(vm, found.vh)};
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
  rt::Operand limit = apply(vm, "multiply", {rt::reduce(session(vm), "maximum", s, last),
                                             rt::Scalar::weak(static_cast<double>(size) * epsilon(s.dtype()))});
  if (is_given(args[1])) limit = to_operand(vm, args[1], namespace_or_numpy(args));
  last.keepdims = false;
  return wrap_result(vm, rt::reduce(session(vm), "count_nonzero", apply(vm, "greater", {s, limit}), last));
}

// (a, rcond): V diag(1/s) U*, small singular values left out.
Value pinv(Interpreter& vm, Args args) {
  const rt::Array a = array_argument(vm, args);
  const rt::SVD found = rt::svd(session(vm), a, false, true);
  const double cut = is_given(args[1]) ? vm.to_real(args[1]) : 1e-15;
  rt::ReduceOptions last;
  last.axes = std::vector<int64_t>{-1};
  last.keepdims = true;
  const rt::Array limit = apply(vm, "multiply", {rt::reduce(session(vm), "maximum", found.s, last), rt::Scalar::weak(cut)});
  const rt::Array large = apply(vm, "greater", {found.s, limit});
  const rt::Array safe = apply(vm, "where", {large, found.s, rt::Scalar::weak(1.0)});
  const rt::Array inverse = apply(vm, "where", {large, apply(vm, "divide", {rt::Scalar::weak(1.0), safe}), rt::Scalar::weak(0.0)});
  auto adjoint = [&](const rt::Array& m) {
    const rt::Array flipped = rt::swap_axes(m, -1, -2);
    return rt::is_complex(m.dtype()) ? apply(vm, "conjugate", {flipped}) : flipped;
  };
  const int64_t column[] = {inverse.rank()};
  const rt::Array scaled = apply(vm, "multiply", {rt::expand_dims(inverse, column), adjoint(found.u)});
  return wrap_array(vm, rt::matmul(session(vm), adjoint(found.vh), scaled));
}

Value cond(Interpreter& vm, Args args) {
  const rt::Array a = array_argument(vm, args);
  if (!is_given(args[1]) || (args[1].is_integer() && args[1].as_integer() == 2)) {
    const rt::Array s = rt::svd(session(vm), a, false, false).s;
    return wrap_result(vm, apply(vm, "divide", {at_end(vm, s, 0), at_end(vm, s, -1)}));
  }
  const rt::Array inverse = rt::inverse(session(vm), a);
  return wrap_result(vm, apply(vm, "multiply", {matrix_norm(vm, a, args[1]), matrix_norm(vm, inverse, args[1])}));
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
  return wrap_result(vm, array_norm(vm, array_argument(vm, args), args[1], args[2], vm.truth(args[3])));
}

const Native kFunctions[] = {
    {"solve", "(a, b)", solve, "x where a x = b."},
    {"inv", "(a)", inv, "The inverse of matrices."},
    {"det", "(a)", det, "The determinant of matrices."},
    {"slogdet", "(a)", slogdet, "Sign and logarithm of the determinant."},
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
};

}  // namespace

Value open_linalg(Interpreter& vm, const Namespace& names) {
  Ref<Module> module = make_part(vm, names, "linalg", kFunctions);
  module->set(vm, "LinAlgError", Value(static_cast<Object*>(arrays(vm).linalg_error)));
  return module;
}

}  // namespace gpy::lib
