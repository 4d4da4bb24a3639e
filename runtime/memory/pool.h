#pragma once

// A pool of device memory: best fit with coalescing over segments taken from an upstream. Knows no
// device. Blocks are multiples of 512 bytes, so every block is aligned to 512. A free block belongs
// to the arena that used it last, a queue of work: there it can be used again at once.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "runtime/core/process.h"

namespace gpy::rt {

// The source of segments: cuMemAlloc, a script's function, or a test's own.
class MemoryUpstream {
 public:
  virtual ~MemoryUpstream() = default;
  // Null when the device has no more; throws for any other failure. May use the pool itself, which
  // is not locked meanwhile.
  virtual void* allocate(size_t bytes) = 0;
  virtual void release(void* segment, size_t bytes) noexcept = 0;
  // Called when work of arena `to` is about to use memory that work of arena `from` may still use.
  virtual void hand_over(const void* from, const void* to) = 0;
};

class MemoryPool {
 public:
  static constexpr size_t kGranule = 512;

  struct Block;
  struct Wanted {
    const void* arena;
    size_t bytes;
  };
  // Orders blocks by arena, then by size.
  struct Smaller {
    using is_transparent = void;
    bool operator()(const Block* a, const Block* b) const;
    bool operator()(const Block* a, const Wanted& wanted) const;
  };
  using FreeBlocks = std::set<Block*, Smaller>;

  // A piece of a segment; neighbours in address order are linked.
  struct Block {
    char* address = nullptr;
    size_t bytes = 0;
    bool free = false;
    const void* arena = nullptr;
    Block* previous = nullptr;
    Block* next = nullptr;
    size_t segment = 0;  // bytes of the whole segment, in its first block; else 0
    // Its node of the free set, kept while it is not free: giving a block back takes no memory.
    FreeBlocks::node_type place = {};
  };

  // What is asked of the upstream: large segments for many blocks, one as large as a block that
  // finds no free one, or one for each block, given back when the block is released.
  enum class Growth : uint8_t { kChunks, kExact, kUnpooled };
  explicit MemoryPool(MemoryUpstream& upstream, Growth growth = Growth::kChunks)
      : upstream_(upstream), growth_(growth) {}
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // Throws kMemory when limit or device leave no room, after taking what other arenas have free and
  // giving unused segments back once.
  Block* allocate(size_t bytes, const void* arena = nullptr);
  void release(Block* block, const void* arena = nullptr) noexcept;
  // Ends an arena: its free blocks pass to the first arena, null. `last` runs before that, while
  // nobody takes a block.
  template <class Last> void end_arena(const void* arena, Last&& last) {
    const std::lock_guard lock(mutex_);
    last();
    kept_.erase(arena);
    move_free(arena, nullptr);
  }
  // What the arena has free, now or later, is nobody else's before it ends: recorded work uses it.
  void keep_arena(const void* arena) {
    const std::lock_guard lock(mutex_);
    kept_.insert(arena);
  }

  // Gives segments with no live block back to the upstream.
  void free_all_blocks();
  void set_limit(size_t bytes);  // of `total`; 0: none

  struct Use {
    size_t used = 0;
    size_t total = 0;
    size_t limit = 0;
    size_t free_blocks = 0;
    size_t peak = 0;  // of `used`
  };
  Use use() const;

 private:
  static std::unique_ptr<Block> make_block();
  Block* find_free(size_t bytes, const void* arena);
  Block* merge_with_neighbours(Block* block) noexcept;
  void move_free(const void* from, const void* to) noexcept;
  void take_over(const void* arena);
  using Lock = std::unique_lock<ForkSafe<std::mutex>>;
  bool grow(Lock& lock, size_t bytes, const void* arena);
  bool add_segment(Lock& lock, size_t bytes, const void* arena);
  char* take_segment(Lock& lock, size_t bytes);
  void* ask_upstream(size_t bytes);
  void put_free(Block* block) noexcept;
  void take_out(Block* block) noexcept;
  void split(Block* block, std::unique_ptr<Block> rest, size_t bytes) noexcept;
  Block* merge_with_next(Block* block) noexcept;
  void trim() noexcept;
  size_t next_segment_size(size_t bytes) const;
  bool fits_limit(size_t bytes) const {
    return !limit_ || (bytes <= limit_ && total_ <= limit_ - bytes);
  }
  [[noreturn]] void out_of_memory(size_t bytes) const;

  MemoryUpstream& upstream_;
  const Growth growth_;
  mutable ForkSafe<std::mutex> mutex_;
  FreeBlocks free_;
  std::set<const void*> kept_;  // arenas
  std::set<Block*> segments_;   // the first block of each
  size_t used_ = 0;
  size_t total_ = 0;
  size_t limit_ = 0;
  size_t peak_ = 0;
};

}  // namespace gpy::rt
