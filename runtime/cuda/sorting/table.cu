#include "runtime/cuda/sorting/table.h"

#include "runtime/cuda/sorting/device_work.cuh"
#include "runtime/cuda/sorting/steps.h"

namespace gpy::rt::cuda {
namespace {

// Makes a function of the table from one that throws.
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
int start() {
  cudaFuncAttributes attributes;
  const cudaError_t code = cudaFuncGetAttributes(&attributes, run_steps<Nothing>);
  cudaGetLastError();
  return code;
}

constexpr SortingTable kTable = {
    .version = SortingTable::kVersion,
    .start = start,
    .sort = Guarded<sort>::call,
    .argsort = Guarded<argsort>::call,
    .mark_runs = Guarded<mark_runs>::call,
    .number_runs = Guarded<number_runs>::call,
    .search = Guarded<search>::call,
    .contains = Guarded<contains>::call,
    .extremes = Guarded<extremes>::call,
    .count_values = Guarded<count_values>::call,
    .count_between = Guarded<count_between>::call,
    .combine = Guarded<combine>::call,
    .last_equal = Guarded<last_equal>::call,
    .count_set = Guarded<count_set>::call,
    .positions_set = Guarded<positions_set>::call,
    .repeat = Guarded<repeat>::call,
    .select_set = Guarded<select_set>::call,
};

}  // namespace
}  // namespace gpy::rt::cuda

extern "C" __attribute__((visibility("default"))) const gpy::rt::cuda::SortingTable*
gpy_cuda_sorting() {
  return &gpy::rt::cuda::kTable;
}
