#pragma once

// Products of matrices on the host: by BLAS where it has them, by our own loops for every other
// type or without a library.

#include "runtime/core/thread_pool.h"
#include "runtime/linalg/linalg.h"

namespace gpy::rt {

// The threads that the library works with, the caller's among them.
int library_threads(const ThreadPool& threads);

// As Linalg has them.
class CpuProducts {
 public:
  explicit CpuProducts(ThreadPool& threads) : threads_(threads) {}

  void gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b, const MatrixView& c,
            int64_t batch, int64_t a_step, int64_t b_step, int64_t c_step) const;
  void dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y, int64_t y_step,
           bool conjugate, void* result) const;

 private:
  void banded_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                   const MatrixView& c) const;
  void library_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                    const MatrixView& c) const;
  void own_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                const MatrixView& c) const;

  ThreadPool& threads_;
};

}  // namespace gpy::rt
