// The intrinsics by name.
#include "src/translate/grid_table.h"

#include "src/translate/function_translator.h"

namespace gpy {

std::span<const Intrinsic> intrinsics() {
  using T = FunctionTranslator;
  using rt::DType;
  static constexpr Intrinsic kTable[] = {
      {"threadIdx.x", nullptr, "at_thread_x", 0, DType::kInt32},
      {"threadIdx.y", nullptr, "at_thread_y", 0, DType::kInt32},
      {"threadIdx.z", nullptr, "at_thread_z", 0, DType::kInt32},
      {"blockIdx.x", nullptr, "at_block_x", 0, DType::kInt32},
      {"blockIdx.y", nullptr, "at_block_y", 0, DType::kInt32},
      {"blockIdx.z", nullptr, "at_block_z", 0, DType::kInt32},
      {"blockDim.x", nullptr, "at_block_extent_x", 0, DType::kInt32},
      {"blockDim.y", nullptr, "at_block_extent_y", 0, DType::kInt32},
      {"blockDim.z", nullptr, "at_block_extent_z", 0, DType::kInt32},
      {"gridDim.x", nullptr, "at_grid_extent_x", 0, DType::kInt32},
      {"gridDim.y", nullptr, "at_grid_extent_y", 0, DType::kInt32},
      {"gridDim.z", nullptr, "at_grid_extent_z", 0, DType::kInt32},
      {"laneid", nullptr, "at_lane", 0, DType::kInt32},
      {"lane", &T::position_call, "at_lane", 0, DType::kInt32},
      {"grid", &T::grid_position, "at_grid", 1},
      {"gridsize", &T::grid_position, "at_grid_size", 1},
      {"unrolled_range", &T::range_call},
      {"shared.array", &T::declared_array},
      {"shared.memory", &T::shared_memory},
      {"local.array", &T::declared_array},
      {"const.array_like", &T::constant_array, "", 1},
      {"syncthreads", &T::barrier, "__syncthreads", 0},
      {"syncthreads_count", &T::voting_barrier, "__syncthreads_count", 1},
      {"syncthreads_and", &T::voting_barrier, "__syncthreads_and", 1},
      {"syncthreads_or", &T::voting_barrier, "__syncthreads_or", 1},
      {"syncwarp", &T::warp_barrier, "__syncwarp"},
      {"threadfence", &T::barrier, "__threadfence", 0},
      {"threadfence_block", &T::barrier, "__threadfence_block", 0},
      {"threadfence_system", &T::barrier, "__threadfence_system", 0},
      {"all_sync", &T::vote, "__all_sync", 2, DType::kBool},
      {"any_sync", &T::vote, "__any_sync", 2, DType::kBool},
      {"eq_sync", &T::vote, "__uni_sync", 2, DType::kBool},
      {"match_any_sync", &T::match, "__match_any_sync", 2, DType::kUInt32},
      {"match_all_sync", &T::match, "__match_all_sync", 2, DType::kBool},
      {"ballot_sync", &T::vote, "__ballot_sync", 2, DType::kUInt32},
      {"lanemask_lt", &T::active_mask, "lanes_before", 0},
      {"nanosleep", &T::pause, "__nanosleep", 1},
      {"activemask", &T::active_mask, "__activemask", 0},
      {"shfl_sync", &T::shuffle, "__shfl_sync"},
      {"shfl_up_sync", &T::shuffle, "__shfl_up_sync"},
      {"shfl_down_sync", &T::shuffle, "__shfl_down_sync"},
      {"shfl_xor_sync", &T::shuffle, "__shfl_xor_sync"},
      {"atomic.add", &T::atomic, "atomic_add", 3},
      {"atomic.sub", &T::atomic, "atomic_sub", 3},
      {"atomic.max", &T::atomic, "atomic_max", 3},
      {"atomic.min", &T::atomic, "atomic_min", 3},
      {"atomic.nanmax", &T::atomic, "atomic_nanmax", 3},
      {"atomic.nanmin", &T::atomic, "atomic_nanmin", 3},
      {"atomic.and_", &T::atomic, "atomic_and", 3},
      {"atomic.or_", &T::atomic, "atomic_or", 3},
      {"atomic.xor", &T::atomic, "atomic_xor", 3},
      {"atomic.inc", &T::atomic, "atomic_inc", 3},
      {"atomic.dec", &T::atomic, "atomic_dec", 3},
      {"atomic.exch", &T::atomic, "atomic_exch", 3},
      {"atomic.cas", &T::atomic, "atomic_cas", 4},
      {"atomic.compare_and_swap", &T::first_atomic, "atomic_cas", 3},
      {"popc", &T::bit_count, "count_bits", 1},
      {"clz", &T::bit_count, "leading_zeros", 1},
      {"ffs", &T::bit_count, "first_set", 1},
      {"brev", &T::bit_count, "bits_reversed", 1},
      {"cub.WarpReduce.Sum", &T::collective, "warp_of([] { __syncwarp(); })"},
      {"cub.WarpReduce.Reduce", &T::collective, "warp_of([] { __syncwarp(); })"},
      {"cub.WarpReduce.TempStorage", &T::collective_part},
      {"cub.BlockReduce.Sum", &T::collective, "block_of([] { __syncthreads(); })"},
      {"cub.BlockReduce.Reduce", &T::collective, "block_of([] { __syncthreads(); })"},
      {"cub.BlockReduce.TempStorage", &T::collective_part},
      {"cub.Sum", &T::collective_part, "sum"},
      {"cub.Max", &T::collective_part, "max"},
      {"cub.Min", &T::collective_part, "min"},
      {"cg.this_grid", &T::this_group, "", 0},
      {"cg.this_thread_block", &T::this_group, "", 0},
      {"cg.grid.sync", &T::grid_barrier, "cooperative_groups::this_grid().sync", 0},
      {"cg.grid.thread_rank", &T::group_number, "at_rank_in_grid", 0, DType::kUInt64},
      {"cg.grid.block_rank", &T::group_number, "at_block_rank", 0, DType::kUInt64},
      {"cg.grid.num_threads", &T::group_number, "at_threads_of_grid", 0, DType::kUInt64},
      {"cg.grid.size", &T::group_number, "at_threads_of_grid", 0, DType::kUInt64},
      {"cg.grid.num_blocks", &T::group_number, "at_block_count", 0, DType::kUInt64},
      {"cg.grid.dim_blocks", &T::group_extents, "at_grid_extent", 0},
      {"cg.grid.group_dim", &T::group_extents, "at_grid_extent", 0},
      {"cg.grid.block_index", &T::group_extents, "at_block", 0},
      {"cg.block.sync", &T::barrier, "__syncthreads", 0},
      {"cg.block.thread_rank", &T::group_number, "at_rank_in_block", 0, DType::kUInt32},
      {"cg.block.num_threads", &T::group_number, "at_threads_of_block", 0, DType::kUInt32},
      {"cg.block.size", &T::group_number, "at_threads_of_block", 0, DType::kUInt32},
      {"cg.block.dim_threads", &T::group_extents, "at_block_extent", 0},
      {"cg.block.group_dim", &T::group_extents, "at_block_extent", 0},
      {"cg.block.group_index", &T::group_extents, "at_block", 0},
      {"cg.block.thread_index", &T::group_extents, "at_thread", 0},
      {"cbrt", &T::cube_root, "", 1},
      {"fma", &T::fused, "fused_multiply_add", 3},
      {"selp", &T::select, "", 3},
  };
  return kTable;
}

const Intrinsic* find_intrinsic(std::string_view name) {
  for (const Intrinsic& each : intrinsics()) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

}  // namespace gpy
