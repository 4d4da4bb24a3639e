#include "runtime/host_kernel/block_stacks.h"

#include <sys/mman.h>
#include <unistd.h>

#include "runtime/core/error.h"
#include "runtime/core/thread_pool.h"

namespace gpy::rt {
namespace {

constexpr size_t kStacks = 1024;
constexpr size_t kSharedAlignment = 128;

size_t region_bytes(unsigned shift) { return 2 * kStacks << shift; }

size_t page_bytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

size_t rounded_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

[[noreturn]] void fail_mapping(size_t bytes) {
  fail(ErrorKind::kMemory,
       "the system gives no {} bytes of address space for the stacks of a block", bytes);
}

char* map(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fail_mapping(bytes);
  return static_cast<char*>(memory);
}

// Makes a page fault. Linux 6.13 does it without a mapping of its own, of which a process has few.
bool forbid(char* page) {
  constexpr int kGuardInstall = 102;
  return madvise(page, page_bytes(), kGuardInstall) == 0 ||
         mprotect(page, page_bytes(), PROT_NONE) == 0;
}

}  // namespace

BlockStacks::BlockStacks(unsigned shift) : shift_(shift) {
  const size_t bytes = region_bytes(shift);
  mapping_ = map(2 * bytes);
  const auto start = reinterpret_cast<uintptr_t>(mapping_);
  region_ = mapping_ + (rounded_up(start, bytes) - start);
  // What the alignment left over.
  if (region_ > mapping_) munmap(mapping_, static_cast<size_t>(region_ - mapping_));
  munmap(region_ + bytes, static_cast<size_t>(mapping_ + bytes - region_));
  madvise(region_, bytes, MADV_NOHUGEPAGE);
  madvise(region_, bytes, MADV_DONTDUMP);
}

BlockStacks::~BlockStacks() {
  munmap(region_, region_bytes(shift_));
  if (shared_) munmap(shared_, shared_mapped_);
}

void BlockStacks::guard(unsigned threads) {
  char* const stacks = region_ + region_bytes(shift_) / 2;
  for (; guarded_ < threads; ++guarded_) {
    if (!forbid(stacks + (size_t{guarded_} << shift_))) fail_mapping(page_bytes());
  }
}

char* BlockStacks::map_shared(size_t bytes) {
  const size_t needed = rounded_up(bytes, page_bytes()) + page_bytes();
  if (needed > shared_mapped_) {
    if (shared_) munmap(shared_, shared_mapped_);
    shared_ = nullptr;
    shared_ = map(needed);
    shared_mapped_ = needed;
    if (!forbid(shared_ + needed - page_bytes())) fail_mapping(page_bytes());
  }
  char* const end = shared_ + shared_mapped_ - page_bytes();
  return end - rounded_up(bytes, kSharedAlignment);
}

BlockMemory BlockStacks::prepare(unsigned threads, size_t shared_bytes) {
  guard(threads);
  return {region_, shared_bytes == 0 ? nullptr : map_shared(shared_bytes), shared_bytes};
}

bool BlockStacks::find_thread(const void* region, unsigned shift, const void* stack,
                              unsigned* thread) {
  const auto at = reinterpret_cast<uintptr_t>(stack) - reinterpret_cast<uintptr_t>(region);
  if (!region || at < region_bytes(shift) / 2 || at >= region_bytes(shift)) return false;
  *thread = static_cast<unsigned>(at >> shift) & (kStacks - 1);
  return true;
}

BlockStacksPool::Lent BlockStacksPool::take(unsigned shift) {
  std::unique_ptr<BlockStacks> stacks;
  {
    const std::lock_guard lock(mutex_);
    std::vector<std::unique_ptr<BlockStacks>>& free = free_[shift];
    if (!free.empty()) {
      stacks = std::move(free.back());
      free.pop_back();
    }
  }
  if (!stacks) stacks = std::make_unique<BlockStacks>(shift);
  return {*this, std::move(stacks), shift};
}

// Large stacks go back to the system, since what a kernel used of them is memory; and so does more
// than the workers of a large machine use at once.
void BlockStacksPool::give_back(std::unique_ptr<BlockStacks> stacks, unsigned shift) noexcept {
  static const auto most_free = static_cast<size_t>(usable_cores());
  if (shift != kStackShift) return;
  const std::lock_guard lock(mutex_);
  if (free_[shift].size() >= most_free) return;
  try {
    free_[shift].push_back(std::move(stacks));
  } catch (const std::bad_alloc&) {
    // It is unmapped instead.
  }
}

}  // namespace gpy::rt
