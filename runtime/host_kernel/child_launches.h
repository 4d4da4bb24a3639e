#pragma once

// Grids that kernels on the host launch themselves (`child<<<grid, block>>>(x)`): they wait until
// the grid that launched them has ended, and run before anything else does, as CUDA's dynamic
// parallelism promises (version 2: no kernel can wait for what it has launched).

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/host_kernel/kernel_object.h"

namespace gpy::rt {

// A launch as the object tells it: the layout of _gpy_child_launch.
struct ChildLaunch {
  Launcher launcher;
  const char* kernel;
  uint32_t shape[6];  // the grid's three extents and the block's
  uint64_t shared_bytes;
  const void* const* values;
  const uint64_t* sizes;
  int32_t count;    // of values
  int32_t at_tail;  // after all that are not
  const void* at;   // the return address
};

// One that waits, with its arguments.
struct ChildGrid {
  Launcher launcher;
  std::string kernel;
  Dim3 grid, block;
  size_t shared_bytes;
  std::vector<std::unique_ptr<std::byte[]>> values;
  std::vector<void*> arguments;  // addresses of the values
  int64_t from_block;            // of the parent's grid
  bool at_tail;
};

class ChildLaunches {
 public:
  // Of a grid that is `depth` launches away from the script's.
  explicit ChildLaunches(int depth) : depth_(depth) {}

  // What forbids this launch; null where nothing does. Lives as long as the thread.
  const char* refusal(const ChildLaunch& launch);
  void add(const ChildLaunch& launch, int64_t from_block) noexcept;
  // In the order in which they run: by the blocks that have launched them, whichever ran first.
  // Throws what add() met.
  std::vector<ChildGrid> take();

 private:
  const int depth_;
  std::mutex mutex_;  // the grid's blocks run on many threads
  std::vector<ChildGrid> grids_;
  std::exception_ptr failure_;
};

// What objects call.
void launch_in_kernel(const ChildLaunch* launch);

}  // namespace gpy::rt
