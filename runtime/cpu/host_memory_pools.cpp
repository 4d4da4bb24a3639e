#include "runtime/cpu/host_memory_pools.h"

#include <algorithm>

#include "runtime/core/cuda_error.h"

namespace gpy::rt {

namespace {

// cudaMemPoolAttr...
constexpr int kReservedNow = 5, kReservedMost = 6, kUsedNow = 7, kUsedMost = 8;

void check_attribute(int which) {
  if (which < 1 || which > kUsedMost) throw CudaError(CudaCode::kInvalidValue);
}

}  // namespace

HostMemoryPools::Pool& HostMemoryPools::at(uintptr_t pool) {
  const auto found = pools_.find(pool);
  if (found == pools_.end() || found->second.destroyed) throw CudaError(CudaCode::kInvalidValue);
  return found->second;
}

uintptr_t HostMemoryPools::make() {
  pools_.emplace(next_, Pool());
  return next_++;
}

void HostMemoryPools::destroy(uintptr_t pool) {
  if (pool == kDefault) throw CudaError(CudaCode::kInvalidValue);
  at(pool).destroyed = true;
  if (current_ == pool) current_ = kDefault;
  count(pool, 0);
}

void HostMemoryPools::set_current(uintptr_t pool) {
  at(pool);
  current_ = pool;
}

void HostMemoryPools::count(uintptr_t pool, int64_t bytes) noexcept {
  const auto found = pools_.find(pool);
  if (found == pools_.end()) return;
  auto& attributes = found->second.attributes;
  for (const auto& [now, most] : {std::pair(kReservedNow, kReservedMost), {kUsedNow, kUsedMost}}) {
    attributes[now] += static_cast<uint64_t>(bytes);
    attributes[most] = std::max(attributes[most], attributes[now]);
  }
  if (found->second.destroyed && attributes[kUsedNow] == 0) pools_.erase(found);
}

uint64_t HostMemoryPools::attribute(uintptr_t pool, int which) {
  check_attribute(which);
  return at(pool).attributes[which];
}

void HostMemoryPools::set_attribute(uintptr_t pool, int which, uint64_t value) {
  check_attribute(which);
  Pool& changed = at(pool);
  const bool is_most = which == kReservedMost || which == kUsedMost;
  const bool is_count = which >= kReservedNow;
  if (is_count && !(is_most && value == 0)) throw CudaError(CudaCode::kInvalidValue);
  changed.attributes[which] = is_most ? changed.attributes[which - 1] : value;
}

}  // namespace gpy::rt
