#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include "plans.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/thread_pool.h"
#include "runtime/cpu/cpu_linalg.h"

namespace gpy::rt {
namespace {

using test::backend;

template <class T> struct Matrix {
  int64_t rows, cols, row_stride, col_stride;
  std::vector<T> data;
  Matrix(int64_t r, int64_t c, bool by_rows, int64_t extra = 0)
      : rows(r),
        cols(c),
        row_stride(by_rows ? c + extra : 1),
        col_stride(by_rows ? 1 : r + extra),
        data((r + extra) * (c + extra)) {}
  T& at(int64_t r, int64_t c) { return data[r * row_stride + c * col_stride]; }
  MatrixView view() { return {data.data(), rows, cols, row_stride, col_stride}; }
};

template <class T> void check_product(DType dtype, int64_t m, int64_t n, int64_t k) {
  for (int layout = 0; layout < 8; ++layout) {
    Matrix<T> a(m, k, layout & 1, 3), b(k, n, layout & 2), c(m, n, layout & 4, 2);
    for (int64_t i = 0; i < m * k; ++i) a.at(i / k, i % k) = T(i * 7 % 11 - 5);
    for (int64_t i = 0; i < k * n; ++i) b.at(i / n, i % n) = T(i * 5 % 13 - 6);
    backend().linalg().gemm(dtype, a.view(), b.view(), c.view(), 1, 0, 0, 0);
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        T sum = T(0);
        for (int64_t l = 0; l < k; ++l) sum = T(sum + a.at(i, l) * b.at(l, j));
        REQUIRE(c.at(i, j) == sum);
      }
    }
  }
}

TEST_CASE("products of matrices of every layout, by the library and by our own loops") {
  for (auto [m, n, k] :
       {std::array<int64_t, 3>{1, 1, 1}, {3, 5, 2}, {17, 300, 9}, {70, 1, 40}, {4, 6, 0}}) {
    check_product<double>(DType::kFloat64, m, n, k);
    check_product<float>(DType::kFloat32, m, n, k);
    check_product<std::complex<double>>(DType::kComplex128, m, n, k);
    check_product<int64_t>(DType::kInt64, m, n, k);
    check_product<int8_t>(DType::kInt8, m, n, k);
    check_product<uint16_t>(DType::kUInt16, m, n, k);
  }
}

TEST_CASE("a long product by our own loops asks for interrupts on the way") {
  constexpr int64_t m = 16, n = 1 << 12, k = 1 << 12, kMostSteps = 1 << 24;
  const std::vector<int8_t> a(m * k, 1), b(k * n, 1);
  std::vector<int8_t> c(m * n);
  ThreadPool one_thread(1);
  const uint64_t before = interrupt_polls();
  const std::atomic<bool> flag = false;
  const InterruptScope scope(&flag);
  make_cpu_linalg(one_thread)
      ->gemm(DType::kInt8, ConstMatrixView{a.data(), m, k, k, 1},
             ConstMatrixView{b.data(), k, n, n, 1}, MatrixView{c.data(), m, n, n, 1}, 1, 0, 0, 0);
  CHECK(interrupt_polls() - before >= m * n * k / kMostSteps);
}

TEST_CASE("dot takes any steps and conjugates when asked") {
  using C = std::complex<double>;
  std::vector<C> x, y;
  for (int i = 0; i < 12; ++i) {
    x.push_back(C(i, 1 - i));
    y.push_back(C(2 * i, i));
  }
  C sum = 0, result;
  for (int i = 0; i < 4; ++i) sum += std::conj(x[3 * i]) * y[11 - 2 * i];
  backend().linalg().dot(DType::kComplex128, 4, x.data(), 3, &y[11], -2, true, &result);
  CHECK(std::abs(result - sum) < 1e-12);
}

TEST_CASE("factorisations multiply back to what was factored") {
  Linalg& linalg = backend().linalg();
  std::string why;
  if (!linalg.available(LinalgPart::kFactorisations, &why)) {
    MESSAGE("skipped: " << why);
    return;
  }
  const int64_t m = 5, n = 3;
  Matrix<double> a(m, n, false);
  for (int64_t i = 0; i < m * n; ++i) a.data[i] = std::sin(double(i * i + 1));
  for (int64_t k : {n, m}) {
    std::vector<double> q = a.data, r(k * n);
    q.resize(m * k);
    linalg.qr(DType::kFloat64, m, n, k, q.data(), r.data(), 1);
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l) sum += q[l * m + i] * r[j * k + l];
        CHECK(sum == doctest::Approx(a.at(i, j)));
      }
    }
  }
  for (bool full : {false, true}) {
    std::vector<double> work = a.data, s(n), u(m * (full ? m : n)), vt(n * n);
    int info = -1;
    linalg.svd(DType::kFloat64, m, n, full, work.data(), s.data(), u.data(), vt.data(), 1, &info);
    CHECK(info == 0);
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < n; ++l) sum += u[l * m + i] * s[l] * vt[j * n + l];
        CHECK(sum == doctest::Approx(a.at(i, j)));
      }
    }
  }
  std::vector<double> square = {2, 1, 0, 1, 3, 1, 0, 1, 4}, lu = square, x = {1, 2, 3};
  std::vector<int32_t> pivots(3);
  int info = -1;
  linalg.lu(DType::kFloat64, 3, lu.data(), pivots.data(), 1, &info);
  CHECK(std::abs(lu[0] * lu[4] * lu[8]) == doctest::Approx(18));
  lu = square;
  linalg.solve(DType::kFloat64, 3, 1, lu.data(), x.data(), 1, &info);
  CHECK(info == 0);
  for (int i = 0; i < 3; ++i) {
    CHECK(square[i] * x[0] + square[3 + i] * x[1] + square[6 + i] * x[2] == doctest::Approx(i + 1));
  }
  std::vector<double> singular(9, 1.0);
  linalg.solve(DType::kFloat64, 3, 1, singular.data(), x.data(), 1, &info);
  CHECK(info > 0);
}

}  // namespace
}  // namespace gpy::rt
