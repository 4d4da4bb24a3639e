// A cuFFT that computes nothing.
#include <cuda.h>
#include <cufft.h>

#include "fake_cuda.h"

#define EXPORT extern "C" __attribute__((visibility("default")))
#define FAKE(name, ...)                                                 \
  EXPORT cufftResult name(__VA_ARGS__) {                                \
    return fake_cuda_enter(#name) ? CUFFT_ALLOC_FAILED : CUFFT_SUCCESS; \
  }

EXPORT cufftResult cufftGetProperty(libraryPropertyType, int* value) {
  *value = CUDA_VERSION / 1000 - 1;
  return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftCreate(cufftHandle* plan) {
  if (fake_cuda_enter("cufftCreate")) return CUFFT_ALLOC_FAILED;
  *plan = 1;
  return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftMakePlanMany64(cufftHandle, int, long long*, long long*, long long,
                                       long long, long long*, long long, long long, cufftType,
                                       long long, size_t* bytes) {
  if (fake_cuda_enter("cufftMakePlanMany64")) return CUFFT_ALLOC_FAILED;
  *bytes = 1024;
  return CUFFT_SUCCESS;
}

FAKE(cufftDestroy, cufftHandle)
FAKE(cufftSetAutoAllocation, cufftHandle, int)
FAKE(cufftSetWorkArea, cufftHandle, void*)
FAKE(cufftSetStream, cufftHandle, cudaStream_t)
FAKE(cufftExecC2C, cufftHandle, cufftComplex*, cufftComplex*, int)
FAKE(cufftExecZ2Z, cufftHandle, cufftDoubleComplex*, cufftDoubleComplex*, int)
FAKE(cufftExecR2C, cufftHandle, cufftReal*, cufftComplex*)
FAKE(cufftExecD2Z, cufftHandle, cufftDoubleReal*, cufftDoubleComplex*)
FAKE(cufftExecC2R, cufftHandle, cufftComplex*, cufftReal*)
FAKE(cufftExecZ2D, cufftHandle, cufftDoubleComplex*, cufftDoubleReal*)
