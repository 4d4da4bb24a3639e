#include "runtime/memory/raw_memory.h"

#include <sys/mman.h>
#include <unistd.h>

namespace gpy::rt {

// The system refuses to write pages back to a file where it has mapped none; of others it has
// nothing to write.
bool is_mapped_on_host(const void* address, size_t bytes) {
  static const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(address);
  if (bytes > UINTPTR_MAX - begin) return false;
  const uintptr_t skipped = begin % page;
  return msync(reinterpret_cast<void*>(begin - skipped), bytes + skipped, MS_ASYNC) == 0;
}

RawBlock::RawBlock(RawMemory& memory, RawMemory::Source source, size_t bytes, unsigned flags)
    : bytes_(bytes), source_(source), charge_(bytes) {
  address_ = memory.allocate(source, bytes, flags);
  memory_ = &memory;
}

RawBlock::RawBlock(RawMemory& memory, size_t bytes, Ref<Queue> queue, uintptr_t pool)
    : bytes_(bytes),
      source_(RawMemory::Source::kOrdered),
      queue_(std::move(queue)),
      charge_(bytes) {
  address_ = memory.allocate_ordered(bytes, *queue_, pool);
  memory_ = &memory;
}

RawBlock& RawBlock::operator=(RawBlock&& other) noexcept {
  if (this == &other) return *this;
  reset();
  memory_ = std::exchange(other.memory_, nullptr);
  address_ = std::exchange(other.address_, nullptr);
  bytes_ = other.bytes_;
  source_ = other.source_;
  queue_ = std::move(other.queue_);
  charge_ = std::move(other.charge_);
  return *this;
}

void RawBlock::forget() noexcept {
  memory_ = nullptr;
  address_ = nullptr;
  queue_ = {};
  charge_ = {};
}

void RawBlock::free() {
  if (!memory_) return;
  if (queue_) memory_->free_ordered(address_, *queue_);
  else memory_->free(source_, address_);
  forget();
}

void RawBlock::free(Queue& queue) {
  if (!memory_) return;
  memory_->free_ordered(address_, queue);
  forget();
}

// A device that is lost has nothing to give back to.
void RawBlock::reset() noexcept {
  try {
    free();
  } catch (...) {
    forget();
  }
}

}  // namespace gpy::rt
