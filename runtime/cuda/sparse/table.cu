#include "runtime/cuda/sparse/table.h"

#include "runtime/cuda/ahead/guarded.cuh"
#include "runtime/cuda/sparse/steps.h"

namespace gpy::rt::cuda {

static constexpr SparseTable kTable = {
    .version = SparseTable::kVersion,
    .start = start_kernels,
    .times_dense = Guarded<times_dense>::call,
    .diagonal = Guarded<diagonal>::call,
    .measure_product = Guarded<measure_product>::call,
    .count_product = Guarded<count_product>::call,
    .fill_product = Guarded<fill_product>::call,
    .turn = Guarded<turn>::call,
    .sort = Guarded<sort_rows>::call,
    .count_union = Guarded<count_union>::call,
    .fill_union = Guarded<fill_union>::call,
};

}  // namespace gpy::rt::cuda

extern "C" __attribute__((visibility("default"))) const gpy::rt::cuda::SparseTable*
gpy_cuda_sparse() {
  return &gpy::rt::cuda::kTable;
}
