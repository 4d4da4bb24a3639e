#pragma once

// The part of cuBLAS that gpy uses, for one context's streams.

#include <cublas_v2.h>

#include <optional>

#include "runtime/core/dtype.h"
#include "runtime/cuda/context.h"
#include "runtime/linalg/linalg.h"

namespace gpy::rt::cuda {

class Cublas {
 public:
  // Throws kNotImplemented where the library is not found, or is too new for the driver.
  explicit Cublas(Context& context);
  ~Cublas();

  void gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b, const MatrixView& c,
            int64_t batch, int64_t a_step, int64_t b_step, int64_t c_step);
  void dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y, int64_t y_step,
           bool conjugate, void* result);

  // Many column-major n x n matrices at once, whose addresses are on the device: their LU with
  // pivots (n each) and LAPACK's info of each, and from these the solution of a x = b.
  void getrf(DType dtype, int n, void* const* a, int* pivots, int* infos, int count);
  void getrs(DType dtype, int n, int nrhs, const void* const* a, const int* pivots, void* const* b,
             int count);
  // Their inverses, of at most 32 rows; `a` is read alone.
  void matinv(DType dtype, int n, const void* const* a, void* const* inverses, int* infos,
              int count);
  // Their QR (m x n): r above the diagonals, reflectors below, with min(m, n) factors at `tau`.
  void geqrf(DType dtype, int m, int n, void* const* a, void* const* tau, int count);
  // a x = b for upper triangles (order x order) whose diagonals count as ones; b (order x cols)
  // becomes x.
  void solve_upper(DType dtype, int order, int cols, const void* const* a, void* const* b,
                   int count);

 private:
  void resolve(void* library);
  void start();
  void check(cublasStatus_t status, const char* call) const;
  void prepare_call(cublasPointerMode_t where);
  // The symbol of `routine` for a type: "cublas" + its letter + routine.
  template <class Function> Function find(DType dtype, const char* routine) const;

// clang-format off
#define GPY_CUBLAS_FUNCTIONS(X)   \
  X(cublasCreate_v2)              \
  X(cublasDestroy_v2)             \
  X(cublasSetStream_v2)           \
  X(cublasSetPointerMode_v2)      \
  X(cublasGetStatusString)        \
  X(cublasGetProperty)            \
  X(cublasDotEx)                  \
  X(cublasDotcEx)
// clang-format on
#define GPY_DECLARE(name) decltype(&::name) name = nullptr;
  GPY_CUBLAS_FUNCTIONS(GPY_DECLARE)
#undef GPY_DECLARE
  // The header overloads this one.
  using GemmStridedBatched = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t,
                                                cublasOperation_t, int, int, int, const void*,
                                                const void*, cudaDataType, int, long long,
                                                const void*, cudaDataType, int, long long,
                                                const void*, void*, cudaDataType, int, long long,
                                                int, cublasComputeType_t, cublasGemmAlgo_t);
  GemmStridedBatched gemm_strided_batched_ = nullptr;

  Context& context_;
  void* library_ = nullptr;
  cublasHandle_t handle_ = nullptr;
  std::optional<CUstream> stream_;  // that the handle is set to
  cublasPointerMode_t numbers_ = CUBLAS_POINTER_MODE_HOST;
};

// cuBLAS's constant for an element type.
cudaDataType_t library_type(DType dtype);
// The type's letter in the names of cuBLAS's and cuSOLVER's routines: S, D, C or Z.
char library_letter(DType dtype);

}  // namespace gpy::rt::cuda
