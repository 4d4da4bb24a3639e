#pragma once

// What is remembered of the accesses to a piece of memory: for each word of it, who wrote and read
// it last, and whether it has been written at all.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/host_kernel/thread_order.h"

namespace gpy::rt {

// Accesses of volatile objects count as atomic ones: who writes that knows of the others.
enum class MemoryUse : int32_t { kRead, kWrite, kAtomic, kAtomicWrite, kAtomicRead };
constexpr bool is_atomic(MemoryUse use) { return use >= MemoryUse::kAtomic; }
constexpr bool reads(MemoryUse use) {
  return use != MemoryUse::kWrite && use != MemoryUse::kAtomicWrite;
}
constexpr bool writes(MemoryUse use) {
  return use != MemoryUse::kRead && use != MemoryUse::kAtomicRead;
}

class AccessShadow {
 public:
  static constexpr size_t kWordBytes = 4;

  // Of so many bytes, of which nothing has happened yet; each block has its own of them, one after
  // another, if they are `of_block`. Throws kMemory.
  AccessShadow(size_t bytes, bool of_block);
  ~AccessShadow();
  AccessShadow(const AccessShadow&) = delete;
  AccessShadow& operator=(const AccessShadow&) = delete;

  size_t bytes() const { return words_ * kWordBytes; }

  // An access that another one races with: when it was, and whether it was an atomic one.
  struct Meeting {
    Moment moment;
    bool atomic;
  };
  // The access of a thread to the bytes [begin, end). Gives one that it races with.
  std::optional<Meeting> access(const ThreadOrder& order, const Moment& now, size_t begin,
                                size_t end, MemoryUse use);
  // Whether a byte of these has not been written by the block since it began. A block that does
  // not ask this does not need to tell where it begins.
  bool has_unwritten(uint32_t block, size_t begin, size_t end) const;

 private:
  // Bytes are a bit each.
  struct Access {
    Moment moment;
    uint32_t bytes;
  };
  struct Word {
    Access write, atomic, read, other_read;
    uint32_t block;  // `written` is of
    uint32_t written;
    // What a thread reads before an atomic operation of its own was a guess that this one proves.
    void forget_read(const Moment& by);
  };

  size_t words_;
  bool of_block_;
  size_t mapped_;
  Word* all_;
};

}  // namespace gpy::rt
