// A cuBLAS that computes nothing.
#include <cublas_v2.h>
#include <cuda.h>

#include "fake_cuda.h"

#define EXPORT extern "C" __attribute__((visibility("default")))
#define FAKE(name, ...)                                                                 \
  EXPORT cublasStatus_t name(__VA_ARGS__) {                                             \
    return fake_cuda_enter(#name) ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_SUCCESS; \
  }

EXPORT const char* cublasGetStatusString(cublasStatus_t) { return "as the test asked"; }

EXPORT cublasStatus_t cublasGetProperty(libraryPropertyType, int* value) {
  *value = CUDA_VERSION / 1000;
  return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (fake_cuda_enter("cublasCreate_v2")) return CUBLAS_STATUS_ALLOC_FAILED;
  if (fake_cuda_is_older()) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = reinterpret_cast<cublasHandle_t>(0x4000);
  return CUBLAS_STATUS_SUCCESS;
}

FAKE(cublasDestroy_v2, cublasHandle_t)
FAKE(cublasSetStream_v2, cublasHandle_t, cudaStream_t)
FAKE(cublasSetPointerMode_v2, cublasHandle_t, cublasPointerMode_t)
FAKE(cublasDotEx, cublasHandle_t, int, const void*, cudaDataType, int, const void*, cudaDataType,
     int, void*, cudaDataType, cudaDataType)
FAKE(cublasDotcEx, cublasHandle_t, int, const void*, cudaDataType, int, const void*, cudaDataType,
     int, void*, cudaDataType, cudaDataType)
FAKE(cublasGemmStridedBatchedEx, cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,
     int, const void*, const void*, cudaDataType, int, long long, const void*, cudaDataType, int,
     long long, const void*, void*, cudaDataType, int, long long, int, cublasComputeType_t,
     cublasGemmAlgo_t)

#define ROUTINES(letter, T)                                                                       \
  EXPORT cublasStatus_t cublas##letter##getrfBatched(cublasHandle_t, int n, T* const*, int,       \
                                                     int* pivots, int* infos, int count) {        \
    if (fake_cuda_enter("getrfBatched")) return CUBLAS_STATUS_ALLOC_FAILED;                       \
    for (int i = 0; i < n * count; ++i) pivots[i] = i % n + 1;                                    \
    for (int i = 0; i < count; ++i) infos[i] = 0;                                                 \
    return CUBLAS_STATUS_SUCCESS;                                                                 \
  }                                                                                               \
  EXPORT cublasStatus_t cublas##letter##getrsBatched(cublasHandle_t, cublasOperation_t, int, int, \
                                                     const T* const*, int, const int*, T* const*, \
                                                     int, int* refused, int) {                    \
    if (fake_cuda_enter("getrsBatched")) return CUBLAS_STATUS_ALLOC_FAILED;                       \
    *refused = 0;                                                                                 \
    return CUBLAS_STATUS_SUCCESS;                                                                 \
  }                                                                                               \
  EXPORT cublasStatus_t cublas##letter##matinvBatched(cublasHandle_t, int, const T* const*, int,  \
                                                      T* const*, int, int* infos, int count) {    \
    if (fake_cuda_enter("matinvBatched")) return CUBLAS_STATUS_ALLOC_FAILED;                      \
    for (int i = 0; i < count; ++i) infos[i] = 0;                                                 \
    return CUBLAS_STATUS_SUCCESS;                                                                 \
  }                                                                                               \
  EXPORT cublasStatus_t cublas##letter##geqrfBatched(cublasHandle_t, int, int, T* const*, int,    \
                                                     T* const*, int* refused, int) {              \
    if (fake_cuda_enter("geqrfBatched")) return CUBLAS_STATUS_ALLOC_FAILED;                       \
    *refused = 0;                                                                                 \
    return CUBLAS_STATUS_SUCCESS;                                                                 \
  }                                                                                               \
  FAKE(cublas##letter##trsmBatched, cublasHandle_t, cublasSideMode_t, cublasFillMode_t,           \
       cublasOperation_t, cublasDiagType_t, int, int, const T*, const T* const*, int, T* const*,  \
       int, int)
ROUTINES(S, float)
ROUTINES(D, double)
ROUTINES(C, cuComplex)
ROUTINES(Z, cuDoubleComplex)
