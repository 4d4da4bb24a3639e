// numpy.linalg: systems of equations, factorisations.
#include <algorithm>
#include <cmath>

#include "runtime/core/error_facts.h"
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/products.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/comparison.h"
#include "stdlib/native/numpy/named_tuple.h"
#include "stdlib/native/numpy/open.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

Value solve(Interpreter& vm, const rt::Array& a, const rt::Array& b) {
  return wrap_array(vm, rt::solve(session(vm), a, b));
}

Value inv(Interpreter& vm, const rt::Array& a) {
  return wrap_array(vm, rt::inverse(session(vm), a));
}

Value det(Interpreter& vm, const rt::Array& a) {
  return wrap_result(vm, rt::determinant(session(vm), a));
}

constexpr const char* kSlogdet[] = {"sign", "logabsdet"};

Value slogdet(Interpreter& vm, const rt::Array& a) {
  const rt::LogDeterminant found = rt::log_determinant(session(vm), a);
  const Value values[] = {wrap_result(vm, found.sign), wrap_result(vm, found.log)};
  return make_named_tuple(vm, "SlogdetResult", kSlogdet, values);
}

Value cholesky(Interpreter& vm, const rt::Array& a, bool upper) {
  return wrap_array(vm, rt::cholesky(session(vm), a, upper));
}

constexpr const char* kQr[] = {"Q", "R"};

// h: the reflectors below the diagonal, transposed for Fortran's eyes, and their factors.
Value raw_qr(Interpreter& vm, const rt::Array& a) {
  const rt::Reflectors found = rt::reflectors(session(vm), a);
  const Value values[] = {wrap_array(vm, rt::swap_axes(found.h, -1, -2)),
                          wrap_array(vm, found.tau)};
  return Value(Tuple::make(vm, values));
}

Value qr(Interpreter& vm, const rt::Array& a, std::string_view mode) {
  if (mode == "raw") return raw_qr(vm, a);
  if (mode == "e" || mode == "economic") {
    vm.warn(vm.types.deprecation_warning, "The 'economic' option is deprecated.");
    return wrap_array(vm, rt::reflectors(session(vm), a).h);
  }
  if (mode == "r") return wrap_array(vm, rt::qr(session(vm), a, rt::QRMode::kR).r);
  if (mode == "f" || mode == "full") {
    vm.warn(vm.types.deprecation_warning,
            "The 'full' option is deprecated in favor of 'reduced'.\n"
            "For backward compatibility let mode default.");
    mode = "reduced";
  }
  if (mode != "reduced" && mode != "complete") {
    vm.raise_value_error("Unrecognized mode '{}'", mode);
  }
  const rt::QR found =
      rt::qr(session(vm), a, mode == "complete" ? rt::QRMode::kComplete : rt::QRMode::kReduced);
  const Value values[] = {wrap_array(vm, found.q), wrap_array(vm, found.r)};
  return make_named_tuple(vm, "QRResult", kQr, values);
}

constexpr const char* kSvd[] = {"U", "S", "Vh"};

Value svd_result(Interpreter& vm, const Value& u, const Value& s, const Value& vh) {
  const Value values[] = {u, s, vh};
  return make_named_tuple(vm, "SVDResult", kSvd, values);
}

Value svd(Interpreter& vm, const rt::Array& a, const Value& full, bool with_vectors) {
  const rt::SVD found = rt::svd(session(vm), a, vm.truth(full), with_vectors);
  if (!with_vectors) return wrap_array(vm, found.s);
  return svd_result(vm, wrap_array(vm, found.u), wrap_array(vm, found.s), wrap_array(vm, found.vh));
}

// None where there is no routine for it.
Value least_squares(Interpreter& vm, const rt::Array& a, const rt::Array& b, double rcond) {
  const auto found = rt::try_least_squares(session(vm), a, b, rcond);
  if (!found) return Value::none();
  return vm.tuple(
      {wrap_array(vm, found->x), Value::integer(found->rank), wrap_array(vm, found->s)});
}

constexpr const char* kEigen[] = {"eigenvalues", "eigenvectors"};

Value eigen_result(Interpreter& vm, const char* name, const rt::Eigen& found) {
  const Value values[] = {wrap_array(vm, found.values), wrap_array(vm, found.vectors)};
  return make_named_tuple(vm, name, kEigen, values);
}

Value eig(Interpreter& vm, const rt::Array& a) {
  return eigen_result(vm, "EigResult", rt::eig(session(vm), a, true));
}

Value eigvals(Interpreter& vm, const rt::Array& a) {
  return wrap_array(vm, rt::eig(session(vm), a, false).values);
}

bool is_upper(Interpreter& vm, std::string_view triangle) {
  const bool upper = triangle == "U" || triangle == "u";
  if (!upper && triangle != "L" && triangle != "l") {
    vm.raise_value_error("UPLO argument must be 'L' or 'U'");
  }
  return upper;
}

Value eigh(Interpreter& vm, const rt::Array& a, std::string_view triangle) {
  return eigen_result(vm, "EighResult", rt::eigh(session(vm), a, is_upper(vm, triangle), true));
}

Value eigvalsh(Interpreter& vm, const rt::Array& a, std::string_view triangle) {
  return wrap_array(vm, rt::eigh(session(vm), a, is_upper(vm, triangle), false).values);
}

const Native kFunctions[] = {
    {"solve", "(a, b)", typed<solve>, "x where a x = b."},
    {"inv", "(a)", typed<inv>, "The inverse of matrices."},
    {"det", "(a)", typed<det>, "The determinant of matrices."},
    {"slogdet", "(a)", typed<slogdet>, "Sign and logarithm of the determinant."},
    {"cholesky", "(a, /, *, upper=False)", typed<cholesky>,
     "The triangular factor of positive definite matrices."},
    {"qr", "(a, mode='reduced')", typed<qr>, "An orthogonal and a triangular factor."},
    {"_svd", "(a, full_matrices, compute_uv, /)", typed<svd>,
     "The singular value decomposition, or the values alone."},
    {"_svd_result", "(u, s, vh, /)", typed<svd_result>, "The result of svd."},
    {"_least_squares", "(a, b, rcond, /)", typed<least_squares>,
     "(x and rows of residuals, rank, singular values), or None where no library does it."},
    {"eig", "(a)", typed<eig>,
     "The eigenvalues of matrices and their eigenvectors, in columns of norm 1."},
    {"eigvals", "(a)", typed<eigvals>, "The eigenvalues of matrices."},
    {"eigh", "(a, UPLO='L')", typed<eigh>,
     "The eigenvalues of hermitian matrices, ascending, and their eigenvectors, in columns. Only "
     "the triangle UPLO ('L' or 'U') is read."},
    {"eigvalsh", "(a, UPLO='L')", typed<eigvalsh>,
     "The eigenvalues of hermitian matrices, ascending."},
};

}  // namespace

Value open_linalg(Interpreter& vm, const Namespace& names) {
  Ref<Module> module = make_library_part(vm, names, "linalg", kFunctions);
  module->set(vm, "LinAlgError", Value(static_cast<Object*>(arrays(vm).linalg_error)));
  return module;
}

}  // namespace gpy::lib
