#pragma once

// The stacks of a block's threads where they meet: each thread is a fiber. A region is aligned to
// its size, which is a power of two, so that a fiber finds everything from its stack pointer (the
// text in fiber_text.cpp): the lower half begins with the state of the block, the variables that
// the text declares __shared__ are at kSharedOffset, the upper half is 1024 stacks, each with a
// guard page at its end.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/kernel/user_kernel.h"

namespace gpy::rt {

// The bytes between two stacks, as a shift: 128 KiB, of which 60 may be used.
constexpr unsigned kStackShift = 17;
// What functions may take of it together; the rest is for those of the C library.
constexpr size_t kSmallStackBytes = 40 << 10;
// For texts with large local arrays: 1 MiB. A thread of a GPU has at most 512 KiB of them.
constexpr unsigned kLargeStackShift = 20;

constexpr size_t kSharedOffset = 1 << 20;

// What a launcher gets for a block: the layout that the text declares as _gpy_block_memory.
struct BlockMemory {
  void* region;
  char* shared;  // dynamic shared memory; null if a launch asks for none
  size_t shared_bytes = 0;
  bool at_once = false;  // each block of the launch has its own of these
  bool alone = false;    // one fiber runs all threads of a block
};

class BlockStacks {
 public:
  // Throws kMemory if the system gives no memory.
  explicit BlockStacks(unsigned shift);
  ~BlockStacks();
  BlockStacks(const BlockStacks&) = delete;
  BlockStacks& operator=(const BlockStacks&) = delete;

  // Room for so many threads, and so many bytes of shared memory that end at a page which faults.
  BlockMemory prepare(unsigned threads, size_t shared_bytes);
  // The thread on whose stack this address lies; nothing if it is on none.
  static bool find_thread(const void* region, unsigned shift, const void* stack, unsigned* thread);

 private:
  void guard(unsigned threads);
  char* map_shared(size_t bytes);

  unsigned shift_;
  char* mapping_ = nullptr;
  char* region_ = nullptr;
  char* shared_ = nullptr;
  size_t shared_mapped_ = 0;
  unsigned guarded_ = 0;
};

// Regions that nobody uses at the moment, kept for the next launch.
class BlockStacksPool {
 public:
  class Lent {
   public:
    Lent(BlockStacksPool& pool, std::unique_ptr<BlockStacks> stacks, unsigned shift)
        : pool_(pool), stacks_(std::move(stacks)), shift_(shift) {}
    ~Lent() {
      if (stacks_) pool_.give_back(std::move(stacks_), shift_);
    }
    Lent(Lent&&) = default;
    BlockStacks* operator->() const { return stacks_.get(); }

   private:
    BlockStacksPool& pool_;
    std::unique_ptr<BlockStacks> stacks_;
    unsigned shift_;
  };
  Lent take(unsigned shift);

 private:
  void give_back(std::unique_ptr<BlockStacks> stacks, unsigned shift) noexcept;

  ForkSafe<std::mutex> mutex_;
  std::map<unsigned, std::vector<std::unique_ptr<BlockStacks>>> free_;
};

}  // namespace gpy::rt
