#pragma once
// Small blocks for objects. glibc keeps seven freed blocks of a size at hand; a loop that makes and
// drops objects needs hundreds. Blocks come from operator new and go back to it when there are
// many, so one may be given back on another thread than it was taken on.

#include <cstddef>
#include <cstdint>

namespace gpy {

class BlockCache {
 public:
  static constexpr size_t kGranule = 16;
  static constexpr size_t kClasses = 20;  // blocks of up to 304 bytes
  static constexpr size_t class_of(size_t size) { return (size + kGranule - 1) / kGranule; }

  void* take(size_t size) {
    size_t which = class_of(size);
    if (which >= kClasses || !free_[which]) return take_new(size);
    Link* block = free_[which];
    free_[which] = block->next;
    --count_[which];
    return block;
  }
  // `size` as it was asked for.
  void give(void* block, size_t size) noexcept {
    size_t which = class_of(size);
    if (which >= kClasses || count_[which] >= kMost) return give_back(block);
    free_[which] = new (block) Link{free_[which]};
    ++count_[which];
  }

 private:
  friend struct BlockCacheEnd;
  struct Link {
    Link* next;
    static void* operator new(size_t, void* place) { return place; }
  };
#if defined(__SANITIZE_ADDRESS__)
  static constexpr uint32_t kMost = 0;  // so that uses after the end are seen
#else
  static constexpr uint32_t kMost = 4096;
#endif

  static void* take_new(size_t size);
  static void give_back(void* block) noexcept;

  Link* free_[kClasses] = {};
  uint32_t count_[kClasses] = {};
};

extern thread_local constinit BlockCache block_cache;

}  // namespace gpy
