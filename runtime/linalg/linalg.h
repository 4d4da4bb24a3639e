#pragma once

// Dense linear algebra that libraries do: BLAS and LAPACK on the host, cuBLAS and cuSOLVER on a
// GPU. Matrices are float32, float64, complex64 or complex128 unless said otherwise, in the
// backend's memory. LAPACK's convention is column-major; callers of factorisations pass
// column-major copies.

#include <cstdint>
#include <string>
#include <type_traits>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// Element (r, c) is at data + (r * row_stride + c * col_stride) elements. One stride is 1 wherever
// the matrix is handed to a library without a copy.
template <class Data> struct BasicMatrixView {
  Data* data = nullptr;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t row_stride = 0;
  int64_t col_stride = 0;

  operator BasicMatrixView<const void>() const requires(!std::is_const_v<Data>) {
    return {data, rows, cols, row_stride, col_stride};
  }
};
using MatrixView = BasicMatrixView<void>;
using ConstMatrixView = BasicMatrixView<const void>;

template <class Data> BasicMatrixView<Data> transposed(const BasicMatrixView<Data>& m) {
  return {m.data, m.cols, m.rows, m.col_stride, m.row_stride};
}

// BLAS or cuBLAS; LAPACK or cuSOLVER; what cuSOLVER has of eigenvalues of any matrix.
enum class LinalgPart : uint8_t { kProducts, kFactorisations, kEigenvalues };

class Linalg {
 public:
  virtual ~Linalg() = default;

  // False where a library is missing or does not start here; `why` then says which, and what helps.
  virtual bool available(LinalgPart part, std::string* why) = 0;

  // c = a @ b for `batch` matrices at the given distances (elements; 0 broadcasts). float16 too
  // where the library has it: `supports_gemm` tells.
  virtual bool supports_gemm(DType dtype) = 0;
  virtual void gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                    const MatrixView& c, int64_t batch, int64_t a_step, int64_t b_step,
                    int64_t c_step) = 0;
  // *result (one element in the backend's memory) = sum(x * y), conjugating x if asked.
  virtual void dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y,
                   int64_t y_step, bool conjugate, void* result) = 0;

  // All below: column-major, contiguous (leading dimension = rows), `batch` matrices one after
  // another. `info` (host, one per matrix) is LAPACK's: 0 done, > 0 singular, or not converged, as
  // svd is of a NaN; < 0 an argument was refused, which is no fault of the matrix. Routines without
  // `info` throw kRuntime then.

  // In place: a is overwritten; b (n x nrhs) becomes x of a x = b.
  virtual void solve(DType dtype, int64_t n, int64_t nrhs, void* a, void* b, int64_t batch,
                     int* info) = 0;
  // LU in place; pivots are batch * n, 1-based rows as LAPACK gives them. They and `info` are in
  // the backend's memory here, so that nobody needs to wait.
  virtual void lu(DType dtype, int64_t n, void* a, int32_t* pivots, int64_t batch,
                  int32_t* info) = 0;
  // The lower triangle of a hermitian a becomes its Cholesky factor, or the upper one (`upper`);
  // the other triangle is neither read nor written. info > 0: the leading minor of that order is
  // not positive.
  virtual void cholesky(DType dtype, int64_t n, bool upper, void* a, int64_t batch, int* info) = 0;
  // a (m x n) becomes q (m x k) in its first k columns; r (k x n, column-major) is written, zero
  // below the diagonal. k is min(m, n), or m when q is (m x m) and a has room for m columns.
  virtual void qr(DType dtype, int64_t m, int64_t n, int64_t k, void* a, void* r,
                  int64_t batch) = 0;
  // a (m x n) becomes r above the diagonal, with the reflectors below it whose min(m, n) factors
  // are written to tau.
  virtual void reflectors(DType dtype, int64_t m, int64_t n, void* a, void* tau, int64_t batch) = 0;
  // a is destroyed. s: min(m, n) real; u: m x (full ? m : min), vt: (full ? n : min) x n; null u
  // and vt for values only.
  virtual void svd(DType dtype, int64_t m, int64_t n, bool full, void* a, void* s, void* u,
                   void* vt, int64_t batch, int* info) = 0;
  // One triangle of a hermitian a, the upper one or the lower, is read. w: its n eigenvalues, real
  // and ascending; a becomes the eigenvectors (`vectors`), in columns, or is destroyed.
  virtual void eigh(DType dtype, int64_t n, bool upper, bool vectors, void* a, void* w,
                    int64_t batch, int* info) = 0;
  // a is destroyed. w: n eigenvalues, complex; v: the right eigenvectors in columns, of norm 1, or
  // null. They have the type of a: in a real v, two columns are the real and the imaginary part of
  // a vector where w has a conjugate pair.
  virtual void eig(DType dtype, int64_t n, void* a, void* w, void* v, int64_t batch, int* info) = 0;
};

}  // namespace gpy::rt
