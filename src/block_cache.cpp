#include "src/block_cache.h"

#include <new>

namespace gpy {

thread_local constinit BlockCache block_cache;

// Frees what a thread kept when it ends.
struct BlockCacheEnd {
  ~BlockCacheEnd() {
    for (size_t i = 0; i < BlockCache::kClasses; ++i) {
      while (BlockCache::Link* block = block_cache.free_[i]) {
        block_cache.free_[i] = block->next;
        ::operator delete(block);
      }
      block_cache.count_[i] = BlockCache::kMost;  // what comes later goes straight back
    }
  }
};

void* BlockCache::take_new(size_t size) {
  thread_local BlockCacheEnd end;
  static_cast<void>(&end);
  return ::operator new(size < kClasses * kGranule ? class_of(size) * kGranule : size);
}

void BlockCache::give_back(void* block) noexcept { ::operator delete(block); }

}  // namespace gpy
