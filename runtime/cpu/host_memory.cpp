#include "runtime/cpu/host_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "runtime/core/error_facts.h"
#include "runtime/core/size_text.h"

namespace gpy::rt {
namespace {

constexpr size_t kAlign = 64;
constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kHugeFrom = size_t{4} << 20;
// The most freed memory that is kept for the next array: page faults on fresh pages cost more than
// the loops that fill them. Memory beyond it goes back to the system.
constexpr size_t kCacheLimit = size_t{1} << 30;

// The most bytes of a block that are poisoned: the system may lack memory for all of a huge one.
constexpr size_t kMostPoison = size_t{64} << 20;

bool is_huge(size_t bytes) { return bytes >= kHugeFrom; }

std::align_val_t align_of(size_t bytes) {
  return std::align_val_t{is_huge(bytes) ? kHugePage : kAlign};
}

// A processor mistakes a load for one of a recent store where the last 12 bits of their addresses
// are alike: a stencil from one array into another ran four times as long when both began at the
// same place of a page, as the system's large blocks do. So each begins elsewhere.
constexpr size_t kPage = 4096, kStep = 256, kStaggeredFrom = size_t{16} << 10;

// Null: the system has no more. The word before a block that is not huge holds its offset in the
// system's block; the system's block of a huge one begins at a multiple of huge pages.
void* system_allocate(size_t bytes, size_t number) {
  const size_t offset = bytes < kStaggeredFrom ? 0 : kStep * (1 + number % (kPage / kStep - 1));
  const size_t whole = bytes + (offset > 0 ? kPage : 0);
  auto* data = static_cast<char*>(::operator new(whole, align_of(bytes), std::nothrow));
  if (!data || offset == 0) return data;
  if (is_huge(bytes)) madvise(data, whole, MADV_HUGEPAGE);
  data += offset;
  if (!is_huge(bytes)) reinterpret_cast<size_t*>(data)[-1] = offset;
  return data;
}

// The start of the system's block.
char* start_of(void* block, size_t bytes) {
  auto* const data = static_cast<char*>(block);
  if (bytes < kStaggeredFrom) return data;
  if (is_huge(bytes)) return data - reinterpret_cast<uintptr_t>(data) % kHugePage;
  return data - reinterpret_cast<size_t*>(data)[-1];
}

void system_release(void* block, size_t bytes) noexcept {
  ::operator delete(start_of(block, bytes), align_of(bytes));
}

}  // namespace

// Four sizes per power of two, so that blocks are reused; huge ones take whole huge pages.
size_t HostMemory::rounded(size_t bytes) {
  if (bytes <= kAlign) return kAlign;
  const size_t unit = is_huge(bytes) ? kHugePage : std::max(std::bit_floor(bytes - 1) / 4, kAlign);
  if (bytes > SIZE_MAX - unit) return bytes;
  return (bytes + unit - 1) / unit * unit;
}

bool HostMemory::FreeBlocks::push(void* data) noexcept {
  if (is_huge(bytes)) {
    try {
      huge.push_back(data);
    } catch (const std::bad_alloc&) {
      return false;
    }
  } else {
    top = new (data) FreeBlock{top};
  }
  ++count;
  return true;
}

void* HostMemory::FreeBlocks::pop() noexcept {
  if (!huge.empty()) {
    void* const data = huge.back();
    huge.pop_back();
    --count;
    return data;
  }
  if (!top) return nullptr;
  --count;
  return std::exchange(top, top->below);
}

static size_t class_of(size_t bytes) {
  const int power = std::bit_width(bytes - 1) - 1;  // bytes are in (2^power, 2^(power + 1)]
  const size_t quarter = (bytes - (size_t{1} << power)) >> (power - 2);
  return 4 * static_cast<size_t>(power) + quarter - 1;
}

HostMemory::FreeBlocks& HostMemory::blocks_of(size_t bytes) {
  FreeBlocks& blocks = bytes > kHugeFrom ? large_[bytes] : small_[class_of(bytes)];
  blocks.bytes = bytes;
  return blocks;
}

void* HostMemory::take_free(size_t bytes) {
  void* data = blocks_of(bytes).pop();
  if (data) cached_ -= bytes;
  return data;
}

void HostMemory::clear(void* data, size_t wanted) noexcept {
  const size_t bytes = rounded(wanted);
  if (is_huge(bytes) && madvise(start_of(data, bytes), bytes + kPage, MADV_DONTNEED) == 0) return;
  std::memset(data, 0, wanted);
}

void* HostMemory::allocate(size_t wanted) {
  const size_t bytes = rounded(wanted);
  std::lock_guard lock(mutex_);
  const bool fits = limit_ == 0 || (bytes <= limit_ && used_ <= limit_ - bytes);
  if (fits && limit_ && used_ + cached_ + bytes > limit_) trim_locked();
  void* data = fits ? take_free(bytes) : nullptr;
  if (fits && !data) data = system_allocate(bytes, taken_++);
  if (fits && !data) {
    trim_locked();
    data = system_allocate(bytes, taken_++);
  }
  if (!data)
    throw HostMemoryError("Unable to allocate " + size_text(static_cast<double>(wanted)) +
                          " for an array");
  if (poisons_) std::memset(data, kPoison, std::min(bytes, kMostPoison));
  used_ += bytes;
  peak_ = std::max(peak_, used_);
  return data;
}

void HostMemory::release(void* data, size_t wanted) noexcept {
  const size_t bytes = rounded(wanted);
  std::lock_guard lock(mutex_);
  used_ -= bytes;
  if (!keeps_ || cached_ + bytes > kCacheLimit) return system_release(data, bytes);
  if (!blocks_of(bytes).push(data)) return system_release(data, bytes);
  cached_ += bytes;
}

void HostMemory::trim_locked() noexcept {
  auto empty = [](FreeBlocks& blocks) {
    while (void* data = blocks.pop()) system_release(data, blocks.bytes);
  };
  for (FreeBlocks& blocks : small_) empty(blocks);
  for (auto& [bytes, blocks] : large_) empty(blocks);
  cached_ = 0;
}

MemoryUse HostMemory::use() {
  std::lock_guard lock(mutex_);
  MemoryUse use;
  use.used = used_;
  use.total = used_ + cached_;
  use.limit = limit_;
  use.peak = peak_;
  for (const FreeBlocks& blocks : small_) use.free_blocks += blocks.count;
  for (const auto& [bytes, blocks] : large_) use.free_blocks += blocks.count;
  return use;
}

void HostMemory::free_all_blocks() {
  std::lock_guard lock(mutex_);
  trim_locked();
}

void HostMemory::set_limit(size_t bytes) {
  std::lock_guard lock(mutex_);
  limit_ = bytes;
}

}  // namespace gpy::rt
