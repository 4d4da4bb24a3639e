#include "tests/failing/allocations.h"

#include <execinfo.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>

#include "tests/failing/switch.h"

namespace gpy::test::failing {

namespace {

constexpr int kDeepest = 40;  // frames of a stack that are kept
constexpr int kOwn = 3;       // of them, frames of the allocator

std::atomic<int64_t> held = 0;

// --- where blocks come from ----------------------------------------------------------------------

struct Origin {
  void* block;
  void* stack[kDeepest];
};
constexpr size_t kOrigins = size_t{1} << 18;
Origin* origins = nullptr;  // by the block's address, open-addressed; nothing is ever moved
std::mutex origins_mutex;
char erased;

size_t place_of(void* block) {
  return (reinterpret_cast<uintptr_t>(block) >> 4) * 0x9E3779B97F4A7C15u >> 46;
}

void note_origin(void* block) {
  if (!origins || Uncounted::here()) return;
  const Uncounted own;
  std::lock_guard lock(origins_mutex);
  size_t at = place_of(block);
  for (size_t tries = 0; origins[at].block && origins[at].block != &erased; ++tries) {
    if (tries == kOrigins) break;
    at = (at + 1) % kOrigins;
  }
  origins[at].block = block;
  const int depth = backtrace(origins[at].stack, kDeepest);
  if (depth < kDeepest) origins[at].stack[depth] = nullptr;
}

void forget_origin(void* block) {
  if (!origins) return;
  std::lock_guard lock(origins_mutex);
  size_t at = place_of(block);
  for (size_t tries = 0; tries < kOrigins && origins[at].block; ++tries) {
    if (origins[at].block == block) {
      origins[at].block = &erased;
      return;
    }
    at = (at + 1) % kOrigins;
  }
}

// --- the operators -------------------------------------------------------------------------------

void* take(size_t bytes, size_t align) {
  if (failing(What::memory)) return nullptr;
  bytes = std::max<size_t>(bytes, 1);
  const bool is_usual = align <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  void* block = is_usual ? std::malloc(bytes)
                         : std::aligned_alloc(align, (bytes + align - 1) / align * align);
  if (!block) return nullptr;
  held.fetch_add(1, std::memory_order_relaxed);
  note_origin(block);
  return block;
}

void* take_or_throw(size_t bytes, size_t align) {
  void* block = take(bytes, align);
  if (!block) throw std::bad_alloc();
  return block;
}

void give_back(void* block) {
  if (!block) return;
  held.fetch_sub(1, std::memory_order_relaxed);
  forget_origin(block);
  std::free(block);
}

}  // namespace

int64_t blocks_held() { return held; }

void watch_blocks() {
  if (!origins) origins = static_cast<Origin*>(std::malloc(kOrigins * sizeof(Origin)));
  for (size_t i = 0; i < kOrigins; ++i) origins[i].block = nullptr;
}

size_t stacks_of_held(std::span<void*> to, size_t most) {
  size_t at = 0;
  for (size_t i = 0; i < kOrigins && most > 0; ++i) {
    const Origin& origin = origins[i];
    if (!origin.block || origin.block == &erased) continue;
    --most;
    for (int k = kOwn; k < kDeepest && origin.stack[k] && at + 1 < to.size(); ++k) {
      to[at++] = origin.stack[k];
    }
    if (at < to.size()) to[at++] = nullptr;
  }
  return at;
}

}  // namespace gpy::test::failing

using gpy::test::failing::give_back;
using gpy::test::failing::take;
using gpy::test::failing::take_or_throw;

void* operator new(size_t bytes) { return take_or_throw(bytes, 0); }
void* operator new[](size_t bytes) { return take_or_throw(bytes, 0); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return take(bytes, 0); }
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept { return take(bytes, 0); }
void* operator new(size_t bytes, std::align_val_t align) {
  return take_or_throw(bytes, static_cast<size_t>(align));
}
void* operator new[](size_t bytes, std::align_val_t align) {
  return take_or_throw(bytes, static_cast<size_t>(align));
}
void* operator new(size_t bytes, std::align_val_t align, const std::nothrow_t&) noexcept {
  return take(bytes, static_cast<size_t>(align));
}
void* operator new[](size_t bytes, std::align_val_t align, const std::nothrow_t&) noexcept {
  return take(bytes, static_cast<size_t>(align));
}

void operator delete(void* block) noexcept { give_back(block); }
void operator delete[](void* block) noexcept { give_back(block); }
void operator delete(void* block, size_t) noexcept { give_back(block); }
void operator delete[](void* block, size_t) noexcept { give_back(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { give_back(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { give_back(block); }
void operator delete(void* block, std::align_val_t) noexcept { give_back(block); }
void operator delete[](void* block, std::align_val_t) noexcept { give_back(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept { give_back(block); }
void operator delete[](void* block, size_t, std::align_val_t) noexcept { give_back(block); }
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  give_back(block);
}
void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  give_back(block);
}
