#pragma once

// Raw memory of one GPU, by the driver. All addresses are in one space, so that copies need no
// direction.

#include "runtime/cuda/context.h"
#include "runtime/cuda/cuda_textures.h"
#include "runtime/memory/raw_memory.h"

namespace gpy::rt::cuda {

class CudaRawMemory final : public RawMemory {
 public:
  explicit CudaRawMemory(Context& context) : context_(context) {}

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
  bool shares_managed() override;
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
  void free_system_memory(void* address);
  CUstream stream_or_own(Queue* queue) const;
  // Waits for a copy that was started without a queue.
  void finish(Queue* queue);
  // Like Context::check, but throws CudaError for lack of memory too.
  void check(CUresult code, const char* call);

  Context& context_;
  CudaTextures textures_{context_};
};

}  // namespace gpy::rt::cuda
