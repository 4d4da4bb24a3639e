#pragma once

// Host memory for arrays: 64-byte aligned blocks, kept for reuse by size class when they are freed.

#include <array>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "runtime/backend.h"
#include "runtime/core/hostile.h"
#include "runtime/core/process.h"

namespace gpy::rt {

class HostMemory {
 public:
  explicit HostMemory(const Hostile& hostile = {})
      : keeps_(hostile.pool), poisons_(hostile.poison) {}
  ~HostMemory() { free_all_blocks(); }
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  // Throws kMemory, in NumPy's words, when the system or the limit has no more.
  void* allocate(size_t bytes);
  void release(void* data, size_t bytes) noexcept;

  // Fills a block with zeros. Huge ones give their pages back to the system, which supplies pages
  // of zeros when they are touched.
  static void clear(void* data, size_t bytes) noexcept;

  MemoryUse use();
  void free_all_blocks();
  void set_limit(size_t bytes);

  static size_t rounded(size_t bytes);  // what a block of `bytes` really takes

 private:
  // A stack of free blocks of one size. Each block holds the address of the one below it, so
  // keeping it takes no memory.
  struct FreeBlock {
    FreeBlock* below;
  };
  struct FreeBlocks {
    FreeBlock* top = nullptr;
    size_t count = 0, bytes = 0;  // `bytes` each
    // Huge blocks are listed apart: a word written into one makes a page of 2 MiB.
    std::vector<void*> huge;
    bool push(void* data) noexcept;  // false: there is no memory to list it
    void* pop() noexcept;            // null: there is none
  };
  FreeBlocks& blocks_of(size_t rounded_bytes);
  void* take_free(size_t rounded_bytes);
  void trim_locked() noexcept;

  const bool keeps_, poisons_;
  ForkSafe<std::mutex> mutex_;
  std::array<FreeBlocks, 96> small_;              // by size class: a table, since scripts make many
  std::unordered_map<size_t, FreeBlocks> large_;  // by rounded size, once one was allocated
  size_t used_ = 0;
  size_t cached_ = 0;
  size_t limit_ = 0;
  size_t peak_ = 0;
  size_t taken_ = 0;  // blocks taken from the system so far
};

}  // namespace gpy::rt
