#pragma once

// What makes a function of a table from one that throws Failure.

#include "runtime/cuda/ahead/device_work.cuh"

namespace gpy::rt::cuda {

template <auto kStep> struct Guarded;
template <class... Args, void (*kStep)(const DeviceWork&, Args...)> struct Guarded<kStep> {
  static int call(const DeviceCall& call, Args... args) {
    try {
      kStep(DeviceWork(call), args...);
      return cudaSuccess;
    } catch (const Failure& failure) {
      cudaGetLastError();  // clears the error for the next call
      return failure.code;
    }
  }
};

struct Nothing {
  __device__ void operator()(int64_t) const {}
};

// Fails where the driver is too old for the runtime, or nothing here was built for the device.
inline int start_kernels() {
  cudaFuncAttributes attributes;
  const cudaError_t code = cudaFuncGetAttributes(&attributes, run_steps<Nothing>);
  cudaGetLastError();
  return code;
}

}  // namespace gpy::rt::cuda
