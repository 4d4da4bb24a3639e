#include "runtime/cuda/sorting/table.h"

#include "runtime/cuda/ahead/guarded.cuh"
#include "runtime/cuda/sorting/steps.h"

namespace gpy::rt::cuda {
namespace {

constexpr SortingTable kTable = {
    .version = SortingTable::kVersion,
    .start = start_kernels,
    .sort = Guarded<sort>::call,
    .argsort = Guarded<argsort>::call,
    .mark_runs = Guarded<mark_runs>::call,
    .number_runs = Guarded<number_runs>::call,
    .search = Guarded<search>::call,
    .contains = Guarded<contains>::call,
    .interpolate = Guarded<interpolate>::call,
    .extremes = Guarded<extremes>::call,
    .count_values = Guarded<count_values>::call,
    .count_between = Guarded<count_between>::call,
    .combine = Guarded<combine>::call,
    .last_equal = Guarded<last_equal>::call,
    .put_last = Guarded<put_last>::call,
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
