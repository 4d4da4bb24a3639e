#pragma once

// The numbers of blocks and threads of a launch, within CUDA's documented limits for every device
// ("Technical Specifications per Compute Capability" in its programming guide). The CPU keeps to
// them too: kernels that run there run on a GPU.

#include <span>

#include "runtime/kernel/user_kernel.h"

namespace gpy::rt {

// What the largest devices have: threads of a block, and bytes of shared memory (those of compute
// capability 9.0 and 10.0).
constexpr int kMostThreadsOfBlock = 1024;
constexpr int kMostSharedBytes = 227 << 10;

struct LaunchShape {
  Dim3 grid, block;
  size_t shared_bytes = 0;
};

// Take one to three extents; those that are not given are 1. Throw kValue.
Dim3 make_grid(std::span<const int64_t> extents);
Dim3 make_block(std::span<const int64_t> extents);
// Accepts what the largest devices have; the driver refuses what its device lacks. Throws kValue.
size_t make_shared_bytes(int64_t bytes);

}  // namespace gpy::rt
