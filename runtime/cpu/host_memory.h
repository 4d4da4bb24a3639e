#pragma once

// Host memory for arrays: 64-byte aligned blocks, kept for reuse by size class when they are freed.

#include <array>
#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtime/backend.h"
#include "runtime/core/hostile.h"

namespace gpy::rt {

class HostMemory {
 public:
  explicit HostMemory(const Hostile& hostile = {})
      : keeps_(hostile.pool), poisons_(hostile.poison) {}
  ~HostMemory() { free_all_blocks(); }
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  // Throws kMemory, in NumPy's words, when the system or the limit has no more.
  void* allocate(size_t bytes);
  void release(void* data, size_t bytes) noexcept;

  MemoryUse use();
  void free_all_blocks();
  void set_limit(size_t bytes);

  static size_t rounded(size_t bytes);  // what a block of `bytes` really takes

 private:
  std::vector<void*>& blocks_of(size_t rounded_bytes);
  void* take_free(size_t rounded_bytes);
  void trim_locked();

  const bool keeps_, poisons_;
  std::mutex mutex_;
  std::array<std::vector<void*>, 96> small_;  // by size class: a table, since scripts make many
  std::unordered_map<size_t, std::vector<void*>> large_;  // by rounded size
  size_t used_ = 0;
  size_t cached_ = 0;
  size_t limit_ = 0;
  size_t peak_ = 0;
};

}  // namespace gpy::rt
