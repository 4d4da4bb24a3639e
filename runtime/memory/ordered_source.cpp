#include "runtime/memory/ordered_source.h"

#include "runtime/core/cuda_error.h"
#include "runtime/core/size_text.h"
#include "runtime/memory/buffer_end.h"
#include "runtime/memory/raw_memory.h"

namespace gpy::rt {

namespace {

// Whom one block goes back to; it goes with the block.
class OrderedBlock final : public Allocator {
 public:
  OrderedBlock(std::shared_ptr<Runtime> runtime, Backend& backend)
      : runtime_(std::move(runtime)), backend_(backend) {}

  void release(Buffer& buffer) noexcept override {
    const std::unique_ptr<OrderedBlock> self(this);
    try {
      buffer.queues().gather(backend_.own_queue());
    } catch (...) {
      wait_for_device(backend_);
    }
    Queue* const writer = buffer.queues().writer();
    give_back(buffer.data(), writer ? *writer : backend_.own_queue());
    buffer.queues().forget();  // they must not outlive the runtime
  }

  void give_back(void* address, Queue& queue) noexcept {
    try {
      backend_.raw_memory().free_ordered(address, queue);
    } catch (...) {  // a device that is lost takes nothing back
    }
  }

 private:
  const std::shared_ptr<Runtime> runtime_;
  Backend& backend_;
};

// Null where there is too little.
void* try_take(Backend& backend, size_t bytes) {
  try {
    return backend.raw_memory().allocate_ordered(bytes, backend.queue());
  } catch (const CudaError& error) {
    if (error.code() != static_cast<int>(CudaCode::kMemoryAllocation)) throw;
    return nullptr;
  }
}

// What other work gives back is there once it is done.
void* take(Backend& backend, size_t bytes) {
  if (void* address = try_take(backend, bytes)) return address;
  backend.queue().synchronize();
  if (void* address = try_take(backend, bytes)) return address;
  fail(ErrorKind::kMemory, "Out of memory allocating {} bytes", with_commas(bytes));
}

}  // namespace

Ref<Buffer> OrderedSource::allocate(Backend& backend, size_t bytes) {
  Charge charge = Buffer::charge_for(bytes);
  auto block = std::make_unique<OrderedBlock>(runtime_, backend);
  void* const address = take(backend, bytes);
  try {
    Ref<Buffer> buffer = make_ref<Buffer>(*block, address, bytes, nullptr, std::move(charge),
                                          current_queue(backend.place()));
    block.release();
    backend.counters.bytes_allocated += bytes;
    return buffer;
  } catch (...) {
    block->give_back(address, backend.queue());
    throw;
  }
}

}  // namespace gpy::rt
