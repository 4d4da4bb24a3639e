#include "src/memory/heap.h"

#include <algorithm>
#include <new>

#include "runtime/core/room.h"

namespace gpy {

// A full slab holds objects that nothing can reach any more: this leak is left as it is.
Heap::~Heap() {
  for (int tracked = 0; tracked < 2; ++tracked) {
    for (Pool& pool : pools_.rows[tracked]) {
      if (pool.current != &none_) give_back(pool.current);
      while (Slab* slab = pool.with_room) {
        pool.with_room = slab->after;
        give_back(slab);
      }
    }
  }
}

// --- slabs ---------------------------------------------------------------------------------------

static constexpr size_t kCarvedAtOnce = 2048;  // bytes: a slab is touched as it fills

void Heap::count_tracked(size_t bytes) {
  tracked_bytes_ += bytes;
  if (tracked_bytes_ >= collect_at && on_growth) on_growth(owner);
}

void Heap::give_back(Slab* slab) noexcept { ::operator delete (slab, std::align_val_t{kSlab}); }

Heap::Slab* Heap::new_slab(Pool& pool, size_t slot_bytes) {
  if (pool.tracked) rt::make_room(slabs_);
  auto* slab = new (::operator new (kSlab, std::align_val_t{kSlab})) Slab;
  slab->pool = &pool;
  slab->slot_bytes = static_cast<uint32_t>(slot_bytes);
  slab_bytes_ += kSlab;
  look();
  if (pool.tracked) {
    slab->index = slabs_.size();
    slabs_.push_back(slab);
    count_tracked(kSlab);
  }
  return slab;
}

void Heap::release(Slab* slab) noexcept {
  slab_bytes_ -= kSlab;
  if (slab->pool->tracked) {
    tracked_bytes_ -= kSlab;
    slabs_.back()->index = slab->index;
    slabs_[slab->index] = slabs_.back();
    slabs_.pop_back();
  }
  give_back(slab);
}

// Makes blocks of a part of the slab that was never used.
static constexpr uint32_t blocks_to_carve(size_t slot_bytes, uint32_t left) {
  auto many = static_cast<uint32_t>(std::max<size_t>(kCarvedAtOnce / slot_bytes, 1));
  return std::min(many, left);
}

void* Heap::allocate_slow(Pool& pool, size_t slot_bytes) {
  Slab* slab = pool.current;
  auto most = static_cast<uint32_t>((kSlab - kHeader) / slot_bytes);
  if (slab == &none_ || slab->carved == most) {
    Slab* next = pool.with_room;
    if (next) {
      pool.with_room = next->after;
      if (next->after) next->after->before = nullptr;
      next->after = nullptr;
    } else {
      next = new_slab(pool, slot_bytes);
    }
    if (slab != &none_) slab->is_full = true;
    slab = pool.current = next;
  }
  if (!slab->free) {
    uint32_t count = blocks_to_carve(slot_bytes, most - slab->carved);
    char* first = reinterpret_cast<char*>(slab) + kHeader + slab->carved * slot_bytes;
    for (uint32_t i = count; i-- > 0;) slab->free = new (first + i * slot_bytes) Slot(slab->free);
    slab->carved += count;
  }
  Slot* slot = slab->free;
  slab->free = slot->next();
  ++slab->used;
  return slot;
}

void Heap::free_slow(Slab* slab) noexcept {
  Pool& pool = *slab->pool;
  if (slab->is_full) {
    slab->is_full = false;
    slab->before = nullptr;
    slab->after = pool.with_room;
    if (slab->after) slab->after->before = slab;
    pool.with_room = slab;
  }
  if (slab->used || slab == pool.current) return;
  (slab->before ? slab->before->after : pool.with_room) = slab->after;
  if (slab->after) slab->after->before = slab->before;
  release(slab);
}

// --- large blocks --------------------------------------------------------------------------------

void* Heap::allocate_large(size_t bytes, bool tracked) {
  if (tracked) rt::make_room(large_);
  auto* large = static_cast<Large*>(::operator new(sizeof(Large) + bytes));
  new (large + 1) Slot(nullptr);
  *large = {bytes, tracked ? large_.size() : kUntracked};
  large_bytes_ += bytes;
  look();
  if (tracked) {
    large_.push_back(large);
    count_tracked(bytes);
  }
  return large + 1;
}

void Heap::free_large(void* block) noexcept {
  auto* large = static_cast<Large*>(block) - 1;
  large_bytes_ -= large->bytes;
  if (large->index != kUntracked) {
    tracked_bytes_ -= large->bytes;
    large_.back()->index = large->index;
    large_[large->index] = large_.back();
    large_.pop_back();
  }
  ::operator delete(large);
}

// --- blocks that are held ------------------------------------------------------------------------

void Heap::keep(void* block, size_t bytes) noexcept {
  held_ = new (block) Slot(held_);
  if (bytes > kMostInSlab) held_->word |= kIsLarge;
}

bool Heap::release_held(size_t most) noexcept {
  holding_ = false;
  for (; most > 0 && held_; --most) {
    Slot* block = held_;
    const bool is_large = block->word & kIsLarge;
    block->word &= ~kIsLarge;
    held_ = block->next();
    is_large ? free_large(block) : free(block, 0);
  }
  holding_ = held_ != nullptr;
  return !holding_;
}

}  // namespace gpy
