#include "runtime/kernel/launch_shape.h"

#include <array>

#include "runtime/core/error.h"

namespace gpy::rt {
namespace {

using Limits = std::array<int64_t, 3>;
constexpr Limits kMostBlocks = {0x7fffffff, 65535, 65535};
constexpr Limits kMostThreads = {1024, 1024, 64};

Dim3 make_extents(const char* what, std::span<const int64_t> extents, const Limits& most) {
  if (extents.empty() || extents.size() > 3)
    fail(ErrorKind::kValue, "{} takes one to three extents (got {})", what, extents.size());
  Dim3 out;
  uint32_t* const axes[] = {&out.x, &out.y, &out.z};
  for (size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] < 1) fail(ErrorKind::kValue, "{} must be at least 1 (got {})", what, extents[i]);
    if (extents[i] > most[i]) {
      fail(ErrorKind::kValue, "{} is at most {} along {} (got {})", what, most[i], "xyz"[i],
           extents[i]);
    }
    *axes[i] = static_cast<uint32_t>(extents[i]);
  }
  return out;
}

}  // namespace

Dim3 make_grid(std::span<const int64_t> extents) {
  return make_extents("grid", extents, kMostBlocks);
}

Dim3 make_block(std::span<const int64_t> extents) {
  const Dim3 block = make_extents("block", extents, kMostThreads);
  const int64_t threads = int64_t{block.x} * block.y * block.z;
  if (threads > kMostThreadsOfBlock) {
    fail(ErrorKind::kValue, "a block has at most {} threads (got {} x {} x {} = {})",
         kMostThreadsOfBlock, block.x, block.y, block.z, threads);
  }
  return block;
}

size_t make_shared_bytes(int64_t bytes) {
  if (bytes < 0) fail(ErrorKind::kValue, "shared_mem must not be negative (got {})", bytes);
  if (bytes > kMostSharedBytes)
    fail(ErrorKind::kValue, "shared_mem is at most {} bytes (got {})", kMostSharedBytes, bytes);
  return static_cast<size_t>(bytes);
}

}  // namespace gpy::rt
