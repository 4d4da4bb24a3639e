#pragma once
// Memory of an interpreter's objects. Blocks of one size lie side by side in slabs, aligned so that
// an object's address gives its slab; a block costs a few instructions to take and to give back.
// Objects that can be part of a cycle have slabs of their own, so that the cycle collector finds
// them all without a list of them: it adds nothing to the cost of making an object.

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "runtime/core/sanitizer.h"

namespace gpy {

struct Object;

class Heap {
 public:
  Heap() = default;
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  // `tracked`: for the collector to see. An Object must be made in the block; until then
  // holds_object() is false for it. Throws std::bad_alloc.
  void* allocate(size_t bytes, bool tracked) {
    if (bytes > kMostInSlab) return allocate_large(bytes, tracked);
    Pool& pool = pools_[tracked][(bytes + kGrain - 1) / kGrain];
    Slot* slot = pool.current->free;
    if (!slot) return allocate_slow(pool, (bytes + kGrain - 1) / kGrain * kGrain);
    pool.current->free = slot->next();
    ++pool.current->used;
    return slot;
  }

  // `bytes` as allocated.
  void free(void* block, size_t bytes) noexcept {
    if (holding_) return keep(block, bytes);
    if (bytes > kMostInSlab) return free_large(block);
    Slab* slab = slab_of(block);
    slab->free = new (block) Slot(slab->free);
    if (--slab->used == 0 || slab->is_full) free_slow(slab);
  }

  // Whether an Object was made in a block: its first word is a type, which lies at an even address.
  static bool holds_object(const void* block) {
    return !static_cast<const Slot*>(block)->is_free();
  }

  // Each tracked object. Nothing is allocated or freed meanwhile.
  template <class F> void for_each_tracked(F&& f) {
    auto visit = [&](Slot* slot) {
      if (!slot->is_free()) f(reinterpret_cast<Object*>(slot));
    };
    for (Slab* slab : slabs_) for_each_slot(slab, visit);
    for (Large* large : large_) visit(slot_of(large));
  }

  // While held, blocks given back are kept, so that objects which refer to one another can be ended
  // in any order.
  void hold() { holding_ = true; }
  // Frees up to `most` of them; true: all of them, and it holds no more.
  bool release_held(size_t most) noexcept;

  // Bytes of all blocks, and of what objects keep elsewhere as far as it is noted here.
  size_t bytes() const { return slab_bytes_ + large_bytes_ + noted_bytes_; }
  size_t tracked_bytes() const { return tracked_bytes_; }
  void note(size_t bytes) {
    noted_bytes_ += bytes;
    look();
  }
  void forget(size_t bytes) { noted_bytes_ -= bytes; }

  // on_growth(owner) is called when tracked objects take `collect_at` bytes or more, and
  // on_look(owner) when all of bytes() are `look_at` or more.
  size_t collect_at = SIZE_MAX, look_at = SIZE_MAX;
  void (*on_growth)(void* owner) = nullptr;
  void (*on_look)(void* owner) = nullptr;
  void* owner = nullptr;

 private:
  friend class Tally;
  static constexpr size_t kGrain = 16;
  static constexpr size_t kSlab = 32 << 10;
  static constexpr size_t kHeader = 64;
  // AddressSanitizer sees every block on its own.
  static constexpr size_t kMostInSlab = kAddressSanitizer ? 0 : 512;

  // A free block. Its first word, where an object has its type, is odd.
  struct Slot {
    explicit Slot(Slot* next) : word(reinterpret_cast<uintptr_t>(next) | 1) {}
    Slot* next() const { return reinterpret_cast<Slot*>(word & ~uintptr_t{1}); }
    bool is_free() const { return word & 1; }
    uintptr_t word;
  };
  struct Pool;
  struct Slab {
    Slot* free = nullptr;
    uint32_t used = 0;
    uint32_t carved = 0;  // blocks that have been used or are in the free list
    uint32_t slot_bytes = 0;
    bool is_full = false;
    Pool* pool = nullptr;
    Slab *before = nullptr, *after = nullptr;  // among those of the pool that have room
    size_t index = 0;                          // in slabs_, if tracked
  };
  static_assert(sizeof(Slab) <= kHeader);
  struct Pool {
    Slab* current;
    Slab* with_room = nullptr;  // slabs with room beside the current one
    bool tracked = false;
  };
  struct Large {
    size_t bytes;
    size_t index;  // in large_; kUntracked: not there
  };
  static constexpr size_t kUntracked = SIZE_MAX;
  static constexpr size_t kPools = 512 / kGrain + 1;

  static Slot* slot_of(Large* large) { return reinterpret_cast<Slot*>(large + 1); }
  template <class F> static void for_each_slot(Slab* slab, F&& f) {
    auto* at = reinterpret_cast<char*>(slab) + kHeader;
    for (uint32_t i = 0; i < slab->carved; ++i, at += slab->slot_bytes) {
      f(reinterpret_cast<Slot*>(at));
    }
  }
  static Slab* slab_of(void* block) {
    return reinterpret_cast<Slab*>(reinterpret_cast<uintptr_t>(block) & ~(kSlab - 1));
  }
  void* allocate_slow(Pool& pool, size_t slot_bytes);
  void* allocate_large(size_t bytes, bool tracked);
  void keep(void* block, size_t bytes) noexcept;
  void free_slow(Slab* slab) noexcept;
  void free_large(void* block) noexcept;
  Slab* new_slab(Pool& pool, size_t slot_bytes);
  void release(Slab* slab) noexcept;
  static void give_back(Slab* slab) noexcept;
  void count_tracked(size_t bytes);
  void look() {
    if (bytes() >= look_at) [[unlikely]]
      on_look(owner);
  }

  Slab none_;  // stands for a pool's first slab until there is one
  struct Pools {
    explicit Pools(Slab* none) {
      for (int tracked = 0; tracked < 2; ++tracked) {
        for (Pool& pool : rows[tracked]) pool = {none, nullptr, tracked != 0};
      }
    }
    Pool* operator[](bool tracked) { return rows[tracked]; }
    Pool rows[2][kPools];
  } pools_{&none_};
  std::vector<Slab*> slabs_;   // of tracked objects
  std::vector<Large*> large_;  // tracked ones
  // The block that was held last. Its first word links to the one before it, which takes no memory,
  // and leaves the rest as it is: others of the cycle still take their count off the object.
  Slot* held_ = nullptr;
  static constexpr uintptr_t kIsLarge = 2;  // in that word
  bool holding_ = false;
  size_t slab_bytes_ = 0, large_bytes_ = 0, noted_bytes_ = 0, tracked_bytes_ = 0;
};

// Bytes that an object keeps outside its block, or a native outside of objects while it works,
// noted in the heap.
class NotedBytes {
 public:
  explicit NotedBytes(Heap& heap) : heap_(heap) {}
  ~NotedBytes() { heap_.forget(bytes_); }
  NotedBytes(const NotedBytes&) = delete;
  NotedBytes& operator=(const NotedBytes&) = delete;
  void set(size_t bytes) {
    heap_.forget(std::exchange(bytes_, bytes));
    heap_.note(bytes);
  }

 private:
  Heap& heap_;
  size_t bytes_ = 0;
};

}  // namespace gpy
