#include "runtime/memory/pooled_source.h"

#include "runtime/core/cuda_error.h"
#include "runtime/memory/buffer_end.h"
#include "runtime/memory/pool_limit.h"

namespace gpy::rt {

namespace {

class RawSegments final : public SegmentSource {
 public:
  explicit RawSegments(RawMemory::Source kind) : kind_(kind) {}

  void* allocate(Backend& backend, size_t bytes) override {
    try {
      RawMemory& memory = backend.raw_memory();
      if (kind_ == RawMemory::Source::kOrdered) {
        return memory.allocate_ordered(bytes, backend.own_queue());
      }
      return memory.allocate(kind_, bytes);
    } catch (const CudaError& error) {
      if (error.code() == static_cast<int>(CudaCode::kMemoryAllocation)) return nullptr;
      throw;
    }
  }
  void release(Backend& backend, void* segment) noexcept override {
    try {
      backend.raw_memory().free(kind_, segment);
    } catch (...) {  // a device that is lost takes nothing back
    }
  }
  bool may_be_managed() const override { return kind_ == RawMemory::Source::kManaged; }

 private:
  const RawMemory::Source kind_;
};

}  // namespace

std::unique_ptr<SegmentSource> make_raw_segments(RawMemory::Source kind) {
  return std::make_unique<RawSegments>(kind);
}

void share_if_managed(Backend& device, Buffer& buffer) {
  if (device.is_host()) return;
  RawMemory& memory = device.raw_memory();
  const bool managed = memory.facts(buffer.data()).kind == PointerKind::kManaged;
  if (managed && memory.shares_managed()) buffer.set_managed_by(device);
}

// Blocks are handed out in the order of the device's own queue: another queue waits for that one
// first, and that one for the queues that have used a block.
class PooledSource::DevicePool final : public Allocator, private MemoryUpstream {
 public:
  DevicePool(Backend& backend, SegmentSource& segments, MemoryPool::Growth growth)
      : backend_(backend), segments_(segments), pool_(*this, growth) {}
  ~DevicePool() { pool_.free_all_blocks(); }

  Ref<Buffer> allocate(std::shared_ptr<PooledSource> source, size_t bytes) {
    Charge charge = Buffer::charge_for(bytes);
    auto held = std::make_unique<Held>();
    held->source = std::move(source);
    held->block = pool_.allocate(bytes);
    Ref<Buffer> buffer = hold(std::move(held), bytes, std::move(charge));
    if (segments_.may_be_managed()) share_if_managed(backend_, *buffer);
    return buffer;
  }

  // The pool may go with its last block.
  void release(Buffer& buffer) noexcept override {
    const std::unique_ptr<Held> held(static_cast<Held*>(buffer.block()));
    order_after_use(backend_, buffer);
    pool_.release(held->block);
  }

  MemoryPool& pool() { return pool_; }

 private:
  struct Held {
    MemoryPool::Block* block;
    std::shared_ptr<PooledSource> source;
  };

  Ref<Buffer> hold(std::unique_ptr<Held> held, size_t bytes, Charge charge) {
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

  void* allocate(size_t bytes) override { return segments_.allocate(backend_, bytes); }
  void release(void* segment, size_t) noexcept override { segments_.release(backend_, segment); }
  void hand_over(const void*, const void*) override {}  // there is one arena

  Backend& backend_;
  SegmentSource& segments_;
  MemoryPool pool_;
};

PooledSource::PooledSource(std::shared_ptr<Runtime> runtime,
                           std::unique_ptr<SegmentSource> segments, MemoryPool::Growth growth)
    : runtime_(std::move(runtime)), segments_(std::move(segments)), growth_(growth) {}

PooledSource::~PooledSource() = default;

PooledSource::DevicePool& PooledSource::of(Backend& backend) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<DevicePool>& pool = pools_[&backend];
  if (pool) return *pool;
  auto made = std::make_unique<DevicePool>(backend, *segments_, growth_);
  if (growth_ != MemoryPool::Growth::kUnpooled) {
    made->pool().set_limit(
        memory_limit_of_environment(backend.device_info().memory_total).value_or(0));
  }
  pool = std::move(made);
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
