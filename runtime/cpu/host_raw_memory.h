#pragma once

// Host memory that stands in for a GPU's. Bounds are checked inside the blocks that it knows; at
// other addresses the system must have mapped memory.

#include <map>

#include "runtime/core/process.h"
#include "runtime/cpu/host_memory_pools.h"
#include "runtime/cpu/host_textures.h"
#include "runtime/memory/raw_memory.h"

namespace gpy::rt {

class Backend;

class HostRawMemory final : public RawMemory {
 public:
  explicit HostRawMemory(Backend& backend) : backend_(backend) {}
  ~HostRawMemory() override;
  HostRawMemory(const HostRawMemory&) = delete;
  HostRawMemory& operator=(const HostRawMemory&) = delete;

  void* allocate(Source source, size_t bytes, unsigned flags) override;
  void free(Source source, void* address) override;
  void* allocate_ordered(size_t bytes, Queue& queue, uintptr_t pool) override;
  void free_ordered(void* address, Queue& queue) override;
  void register_host(void* address, size_t bytes, unsigned flags) override;
  void unregister_host(void* address) override;
  void copy(void* to, const void* from, size_t bytes, Queue* queue) override;
  void copy_rows(void* to, const void* from, const Rows2D& rows, Queue* queue) override;
  void fill(void* address, uint8_t value, size_t bytes, Queue* queue) override;
  void prefetch(const void* address, size_t bytes, int device, Queue& queue) override;
  void advise(const void* address, size_t bytes, int advice, int device) override;
  PointerFacts facts(const void* address) override;
  std::pair<uintptr_t, size_t> block(const void* address) override;
  bool reaches(const void* address, size_t bytes) override;
  bool shares_managed() override { return true; }
  uintptr_t make_pool(const MemoryPoolOptions& options) override;
  void destroy_pool(uintptr_t pool) override;
  uintptr_t default_pool() override;
  uintptr_t current_pool() override;
  void set_current_pool(uintptr_t pool) override;
  void trim_pool(uintptr_t pool, size_t bytes_to_keep) override;
  uint64_t pool_attribute(uintptr_t pool, int which) override;
  void set_pool_attribute(uintptr_t pool, int which, uint64_t value) override;
  Textures& textures() override { return textures_; }

 private:
  struct Block {
    size_t bytes;
    Source source;
    bool owned;          // false: registered, and somebody else's
    uintptr_t pool = 0;  // of ordered memory
  };
  using Blocks = std::map<uintptr_t, Block>;

  void* allocate_block(Source source, size_t bytes, uintptr_t pool);

  // The block that holds an address; end() where none does. The mutex is held.
  Blocks::iterator find(const void* address);
  void check_range(const void* address, size_t bytes);
  void check_managed(const void* address, size_t bytes);

  Backend& backend_;
  ForkSafe<std::mutex> mutex_;
  Blocks blocks_;  // by their start addresses
  HostMemoryPools pools_;
  HostTextures textures_{*this, backend_};
};

}  // namespace gpy::rt
