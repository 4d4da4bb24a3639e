#include "runtime/memory/pooled_source.h"

#include "runtime/core/cuda_error.h"

namespace gpy::rt {

// Blocks are handed out in the order of the device's own queue: another queue waits for that one
// first, and that one for the queues that have used a block.
class PooledSource::DevicePool final : public Allocator, private MemoryUpstream {
 public:
  DevicePool(Backend& backend, RawMemory::Source kind, bool keeps)
      : backend_(backend), kind_(kind), pool_(*this, keeps) {}
  ~DevicePool() { pool_.free_all_blocks(); }

  Ref<Buffer> allocate(std::shared_ptr<PooledSource> source, size_t bytes) {
    Charge charge = Buffer::charge_for(bytes);
    auto held = std::make_unique<Held>();
    held->block = pool_.allocate(bytes);
    held->source = std::move(source);
    Queue* const queue = current_queue(backend_.place());
    try {
      if (queue) queue->follow(backend_.own_queue());
      Ref<Buffer> buffer = make_ref<Buffer>(*this, held->block->address, bytes, held.get(),
                                            std::move(charge), queue);
      held.release();
      return buffer;
    } catch (...) {
      pool_.release(held->block);
      throw;
    }
  }

  // The pool may go with its last block.
  void release(Buffer& buffer) noexcept override {
    const std::unique_ptr<Held> held(static_cast<Held*>(buffer.block()));
    try {
      buffer.queues().gather(backend_.own_queue());
      if (Queue* writer = buffer.queues().writer()) backend_.own_queue().follow(*writer);
    } catch (...) {
      wait_for_device();
    }
    pool_.release(held->block);
  }

  MemoryPool& pool() { return pool_; }

 private:
  struct Held {
    MemoryPool::Block* block;
    std::shared_ptr<PooledSource> source;
  };

  void wait_for_device() noexcept {
    try {
      backend_.synchronize();
    } catch (...) {  // a device that is lost does no more work
    }
  }

  void* allocate(size_t bytes) override {
    try {
      RawMemory& memory = backend_.raw_memory();
      if (kind_ == RawMemory::Source::kOrdered) {
        return memory.allocate_ordered(bytes, backend_.own_queue());
      }
      return memory.allocate(kind_, bytes);
    } catch (const CudaError& error) {
      if (error.code() == static_cast<int>(CudaCode::kMemoryAllocation)) return nullptr;
      throw;
    }
  }
  void release(void* segment, size_t) noexcept override {
    try {
      backend_.raw_memory().free(kind_, segment);
    } catch (...) {  // nor does it take anything back
    }
  }
  void hand_over(const void*, const void*) override {}  // there is one arena

  Backend& backend_;
  const RawMemory::Source kind_;
  MemoryPool pool_;
};

PooledSource::PooledSource(std::shared_ptr<Runtime> runtime, RawMemory::Source kind, bool keeps)
    : runtime_(std::move(runtime)), kind_(kind), keeps_(keeps) {}

PooledSource::~PooledSource() = default;

PooledSource::DevicePool& PooledSource::of(Backend& backend) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<DevicePool>& pool = pools_[&backend];
  if (!pool) pool = std::make_unique<DevicePool>(backend, kind_, keeps_);
  return *pool;
}

Ref<Buffer> PooledSource::allocate(Backend& backend, size_t bytes) {
  Ref<Buffer> buffer = of(backend).allocate(shared_from_this(), bytes);
  backend.counters.bytes_allocated += bytes;
  return buffer;
}

MemoryUse PooledSource::use(Backend& backend) {
  const MemoryPool::Use use = of(backend).pool().use();
  return {use.used, use.total, use.limit, use.free_blocks, use.peak};
}

void PooledSource::free_all_blocks(Backend& backend) { of(backend).pool().free_all_blocks(); }

void PooledSource::set_limit(Backend& backend, size_t bytes) {
  of(backend).pool().set_limit(bytes);
}

}  // namespace gpy::rt
