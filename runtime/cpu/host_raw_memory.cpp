#include "runtime/cpu/host_raw_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "runtime/backend.h"
#include "runtime/core/cuda_error.h"
#include "runtime/core/interrupt.h"
#include "runtime/cpu/polled_pieces.h"

namespace gpy::rt {
namespace {

// The alignment of cudaMalloc.
constexpr size_t kAlignment = 256;

uintptr_t number(const void* address) { return reinterpret_cast<uintptr_t>(address); }

[[noreturn]] void refuse(CudaCode code = CudaCode::kInvalidValue) { throw CudaError(code); }

}  // namespace

HostRawMemory::~HostRawMemory() {
  for (const auto& [address, block] : blocks_) {
    if (block.owned) std::free(reinterpret_cast<void*>(address));
  }
}

void* HostRawMemory::allocate(Source source, size_t bytes, unsigned) {
  return allocate_block(source, bytes, source == Source::kOrdered ? current_pool() : 0);
}

void* HostRawMemory::allocate_block(Source source, size_t bytes, uintptr_t pool) {
  if (bytes == 0 && source == Source::kManaged) refuse();
  if (bytes == 0) return nullptr;
  // The system overcommits: it promises more than it has.
  if (bytes > backend_.device_info().memory_total) refuse(CudaCode::kMemoryAllocation);
  const std::lock_guard lock(mutex_);
  void* address =
      std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (!address) refuse(CudaCode::kMemoryAllocation);
  try {
    blocks_.emplace(number(address), Block{bytes, source, true, pool});
  } catch (...) {
    std::free(address);
    throw;
  }
  if (pool != 0) pools_.count(pool, static_cast<int64_t>(bytes));
  return address;
}

void HostRawMemory::free(Source source, void* address) {
  if (!address) return;
  const std::lock_guard lock(mutex_);
  const auto block = blocks_.find(number(address));
  const bool pinned = source == Source::kPinned;
  if (block == blocks_.end() || !block->second.owned ||
      (block->second.source == Source::kPinned) != pinned) {
    refuse();
  }
  if (block->second.pool != 0) {
    pools_.count(block->second.pool, -static_cast<int64_t>(block->second.bytes));
  }
  blocks_.erase(block);
  std::free(address);
}

void* HostRawMemory::allocate_ordered(size_t bytes, Queue&, uintptr_t pool) {
  {
    const std::lock_guard lock(mutex_);
    if (pool == 0) pool = pools_.current();
    pools_.check(pool);
  }
  return allocate_block(Source::kOrdered, bytes, pool);
}

void HostRawMemory::free_ordered(void* address, Queue&) { free(Source::kOrdered, address); }

void HostRawMemory::register_host(void* address, size_t bytes, unsigned) {
  if (!address || bytes == 0) refuse();
  const std::lock_guard lock(mutex_);
  if (find(address) != blocks_.end()) refuse(CudaCode::kHostMemoryAlreadyRegistered);
  blocks_.emplace(number(address), Block{bytes, Source::kPinned, false});
}

void HostRawMemory::unregister_host(void* address) {
  const std::lock_guard lock(mutex_);
  const auto block = blocks_.find(number(address));
  if (block == blocks_.end() || block->second.owned) refuse(CudaCode::kHostMemoryNotRegistered);
  blocks_.erase(block);
}

HostRawMemory::Blocks::iterator HostRawMemory::find(const void* address) {
  auto next = blocks_.upper_bound(number(address));
  if (next == blocks_.begin()) return blocks_.end();
  --next;
  return number(address) - next->first < next->second.bytes ? next : blocks_.end();
}

std::pair<uintptr_t, size_t> HostRawMemory::block(const void* address) {
  const std::lock_guard lock(mutex_);
  const auto block = find(address);
  return block == blocks_.end() ? std::pair<uintptr_t, size_t>()
                                : std::pair(block->first, block->second.bytes);
}

bool HostRawMemory::reaches(const void* address, size_t bytes) {
  if (bytes == 0) return true;
  const std::lock_guard lock(mutex_);
  const auto block = find(address);
  if (block == blocks_.end()) return is_mapped_on_host(address, bytes);
  return bytes <= block->second.bytes - (number(address) - block->first);
}

void HostRawMemory::check_range(const void* address, size_t bytes) {
  if (!reaches(address, bytes)) refuse();
}

void HostRawMemory::copy(void* to, const void* from, size_t bytes, Queue*) {
  check_range(to, bytes);
  check_range(from, bytes);
  const auto distance = static_cast<std::byte*>(to) - static_cast<const std::byte*>(from);
  if (static_cast<size_t>(distance < 0 ? -distance : distance) < bytes) {
    std::memmove(to, from, bytes);
    return;
  }
  copy_polled(to, from, bytes);
}

// The bytes from the first row's begin to the last one's end.
static size_t span_of(size_t pitch, const Rows2D& rows) {
  if (rows.width == 0 || rows.height == 0) return 0;
  if (pitch < rows.width) throw CudaError(CudaCode::kInvalidPitchValue);
  size_t last = 0;
  if (__builtin_mul_overflow(pitch, rows.height - 1, &last) ||
      __builtin_add_overflow(last, rows.width, &last)) {
    refuse();
  }
  return last;
}

void HostRawMemory::copy_rows(void* to, const void* from, const Rows2D& rows, Queue*) {
  check_range(to, span_of(rows.to_pitch, rows));
  check_range(from, span_of(rows.from_pitch, rows));
  if (rows.width == 0) return;
  for (size_t i = 0; i < rows.height; ++i) {
    if (i % 1024 == 0) poll_interrupt();
    std::memmove(static_cast<char*>(to) + i * rows.to_pitch,
                 static_cast<const char*>(from) + i * rows.from_pitch, rows.width);
  }
}

void HostRawMemory::fill(void* address, uint8_t value, size_t bytes, Queue*) {
  check_range(address, bytes);
  in_polled_pieces(bytes, [&](size_t at, size_t count) {
    std::memset(static_cast<std::byte*>(address) + at, value, count);
  });
}

// The system's memory moves as managed memory does.
void HostRawMemory::check_managed(const void* address, size_t bytes) {
  check_range(address, bytes);
  const std::lock_guard lock(mutex_);
  const auto block = find(address);
  if (block == blocks_.end()) refuse();
  const Source source = block->second.source;
  if (source != Source::kManaged && source != Source::kSystem) refuse();
}

// The host reaches managed memory already.
void HostRawMemory::prefetch(const void* address, size_t bytes, int device, Queue&) {
  check_managed(address, bytes);
  if (device < -1 || device > 0) refuse(CudaCode::kInvalidDevice);
}

void HostRawMemory::advise(const void* address, size_t bytes, int advice, int device) {
  check_managed(address, bytes);
  if (advice < 1 || advice > 6) refuse();
  if (device < -1 || device > 0) refuse(CudaCode::kInvalidDevice);
}

PointerFacts HostRawMemory::facts(const void* address) {
  const std::lock_guard lock(mutex_);
  const auto block = find(address);
  if (block == blocks_.end()) return {};
  switch (block->second.source) {
    case Source::kManaged: return {PointerKind::kManaged, 0, number(address), number(address)};
    case Source::kPinned: return {PointerKind::kHost, 0, number(address), number(address)};
    case Source::kSystem: return {};
    case Source::kDevice:
    case Source::kOrdered: break;
  }
  return {PointerKind::kDevice, 0, number(address), 0};
}

// --- pools ---------------------------------------------------------------------------------------

uintptr_t HostRawMemory::make_pool(const MemoryPoolOptions& options) {
  if (options.allocation != 1 || options.location != 1) refuse();
  if (options.device != 0) refuse(CudaCode::kInvalidDevice);
  const std::lock_guard lock(mutex_);
  return pools_.make();
}

void HostRawMemory::destroy_pool(uintptr_t pool) {
  const std::lock_guard lock(mutex_);
  pools_.destroy(pool);
}

uintptr_t HostRawMemory::default_pool() { return HostMemoryPools::kDefault; }

uintptr_t HostRawMemory::current_pool() {
  const std::lock_guard lock(mutex_);
  return pools_.current();
}

void HostRawMemory::set_current_pool(uintptr_t pool) {
  const std::lock_guard lock(mutex_);
  pools_.set_current(pool);
}

// There is nothing to give back.
void HostRawMemory::trim_pool(uintptr_t pool, size_t) {
  const std::lock_guard lock(mutex_);
  pools_.check(pool);
}

uint64_t HostRawMemory::pool_attribute(uintptr_t pool, int which) {
  const std::lock_guard lock(mutex_);
  return pools_.attribute(pool, which);
}

void HostRawMemory::set_pool_attribute(uintptr_t pool, int which, uint64_t value) {
  const std::lock_guard lock(mutex_);
  pools_.set_attribute(pool, which, value);
}

}  // namespace gpy::rt
