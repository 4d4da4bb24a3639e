// The factors that LAPACK makes of its reflectors, made by the products that stacks on a GPU take:
// here on the CPU.

#include <doctest/doctest.h>

#if GPY_HAVE_CUDA
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "../cpu/plans.h"
#include "runtime/cpu/blas.h"
#include "runtime/cuda/form_q.h"

namespace gpy::rt::cuda {
namespace {

using test::backend;

template <class T> std::vector<T> numbers(const QrStack& stack) {
  std::vector<T> all(stack.batch * stack.step());
  for (size_t i = 0; i < all.size(); ++i) all[i] = T(static_cast<double>(i * i % 23) - 11);
  if constexpr (!std::is_floating_point_v<T>) {
    for (size_t i = 0; i < all.size(); ++i) all[i] += T(0, static_cast<double>(i * 7 % 13));
  }
  return all;
}

template <class T> std::vector<T> reflect(const QrStack& stack, std::vector<T>& a) {
  using Geqrf = void(const int*, const int*, void*, const int*, void*, void*, const int*, int*);
  auto* geqrf = Blas::get().routine<Geqrf>(stack.dtype, "geqrf");
  const int m = static_cast<int>(stack.m), n = static_cast<int>(stack.n), room = 64 * n;
  std::vector<T> tau(stack.batch * stack.reflectors()), work(room);
  for (int64_t i = 0; i < stack.batch; ++i) {
    int info = -1;
    geqrf(&m, &n, &a[i * stack.step()], &m, &tau[i * stack.reflectors()], work.data(), &room,
          &info);
    REQUIRE(info == 0);
  }
  return tau;
}

template <class T> StackRoutines routines_of(const QrStack& stack) {
  StackRoutines routines;
  routines.multiply = [stack](const ConstMatrixView& a, int64_t a_step, const ConstMatrixView& b,
                              int64_t b_step, const MatrixView& c, int64_t c_step) {
    backend().linalg().gemm(stack.dtype, a, b, c, stack.batch, a_step, b_step, c_step);
  };
  routines.solve_upper = [stack](int64_t order, int64_t columns, void* upper, void* right) {
    for (int64_t each = 0; each < stack.batch; ++each) {
      const T* u = static_cast<const T*>(upper) + each * order * order;
      for (int64_t col = 0; col < columns; ++col) {
        T* b = static_cast<T*>(right) + (each * columns + col) * order;
        for (int64_t row = order - 1; row >= 0; --row) {
          for (int64_t i = row + 1; i < order; ++i) b[row] -= u[i * order + row] * b[i];
        }
      }
    }
  };
  return routines;
}

template <class T> T conjugate(T value) {
  if constexpr (std::is_floating_point_v<T>) return value;
  else return std::conj(value);
}

// The greatest differences of q r from what it was made of, and of q^H q from the identity.
template <class T>
std::pair<double, double> differences(const QrStack& stack, const std::vector<T>& a,
                                      const std::vector<T>& q, const std::vector<T>& r) {
  const int64_t m = stack.m, n = stack.n, k = stack.k;
  double product = 0, identity = 0;
  for (int64_t each = 0; each < stack.batch; ++each) {
    const T *aa = &a[each * stack.step()], *qq = &q[each * stack.step()], *rr = &r[each * k * n];
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (int64_t l = 0; l < k; ++l) sum += qq[l * m + i] * rr[j * k + l];
        product = std::max<double>(product, std::abs(sum - aa[j * m + i]));
      }
    }
    for (int64_t i = 0; i < k; ++i) {
      for (int64_t j = 0; j < k; ++j) {
        T sum = i == j ? T(-1) : T(0);
        for (int64_t l = 0; l < m; ++l) sum += conjugate(qq[i * m + l]) * qq[j * m + l];
        identity = std::max<double>(identity, std::abs(sum));
      }
    }
  }
  return {product, identity};
}

template <class T> void check_factors(DType dtype, double near) {
  for (const auto [m, n, k] : {std::array<int64_t, 3>{5, 3, 3},
                               {5, 3, 5},
                               {4, 4, 4},
                               {3, 6, 3},
                               {1, 1, 1},
                               {1, 4, 1},
                               {6, 1, 1},
                               {40, 33, 40}}) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    const QrStack stack{dtype, m, n, k, 3};
    const std::vector<T> a = numbers<T>(stack);
    std::vector<T> q = a, r(stack.batch * k * n, T(77));
    const std::vector<T> tau = reflect(stack, q);
    copy_upper(backend(), stack, q.data(), r.data());
    form_q(backend(), stack, routines_of<T>(stack), q.data(), tau.data());
    const auto [product, identity] = differences(stack, a, q, r);
    CHECK(product < near);
    CHECK(identity < near);
  }
}

}  // namespace

TEST_CASE("the orthogonal factors of a stack by products of all its matrices") {
  if (!Blas::get().has_lapack()) return;
  check_factors<double>(DType::kFloat64, 1e-11);
  check_factors<float>(DType::kFloat32, 1e-2);
  check_factors<std::complex<double>>(DType::kComplex128, 1e-11);
  check_factors<std::complex<float>>(DType::kComplex64, 1e-2);
}

}  // namespace gpy::rt::cuda
#endif
