#include "runtime/memory/pool.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/text/number_text.h"

namespace gpy::rt {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

// A segment costs one slow call whatever its size; memory held for nothing costs others.
constexpr size_t kSmallestSegment = 64 * kMiB;
constexpr size_t kLargestChunk = 1024 * kMiB;

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

MemoryPool::~MemoryPool() {
  for (Block* first : segments_) {
    upstream_.release(first->address, first->segment);
    for (Block* block = first; block;) delete std::exchange(block, block->next);
  }
}

MemoryPool::Block* MemoryPool::allocate(size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > SIZE_MAX - kLargestChunk) out_of_memory(bytes);
  const size_t rounded = round_up(std::max<size_t>(bytes, 1), kGranule);
  Block* block = take_free(rounded);
  if (!block) block = grow(rounded);
  if (!block) {
    trim();
    block = grow(rounded);
  }
  if (!block) out_of_memory(rounded);
  split(block, rounded);
  block->free = false;
  used_ += rounded;
  peak_ = std::max(peak_, used_);
  return block;
}

void MemoryPool::release(Block* block) noexcept {
  const std::lock_guard lock(mutex_);
  used_ -= block->bytes;
  block->free = true;
  if (block->next && block->next->free) {
    free_.erase(block->next);
    block = merge_with_next(block);
  }
  if (block->previous && block->previous->free) {
    free_.erase(block->previous);
    block = merge_with_next(block->previous);
  }
  free_.insert(block);
  if (!keeps_) trim();
}

void MemoryPool::free_all_blocks() {
  const std::lock_guard lock(mutex_);
  trim();
}

void MemoryPool::set_limit(size_t bytes) {
  const std::lock_guard lock(mutex_);
  limit_ = bytes;
}

MemoryPool::Use MemoryPool::use() const {
  const std::lock_guard lock(mutex_);
  return {used_, total_, limit_, free_.size(), peak_};
}

MemoryPool::Block* MemoryPool::take_free(size_t bytes) {
  const auto found = free_.lower_bound(bytes);
  if (found == free_.end()) return nullptr;
  Block* block = *found;
  free_.erase(found);
  return block;
}

// A whole chunk if the device has one, else just what is asked for.
MemoryPool::Block* MemoryPool::grow(size_t bytes) {
  const size_t chunk = next_segment_size(bytes);
  if (Block* block = add_segment(chunk)) return block;
  return chunk > bytes ? add_segment(bytes) : nullptr;
}

MemoryPool::Block* MemoryPool::add_segment(size_t bytes) {
  if (!fits_limit(bytes)) return nullptr;
  void* address = upstream_.allocate(bytes);
  if (!address) return nullptr;
  Block* block = new Block{static_cast<char*>(address), bytes, true, nullptr, nullptr, bytes};
  segments_.insert(block);
  total_ += bytes;
  return block;
}

// Keeps the first `bytes`; the rest becomes a free block.
void MemoryPool::split(Block* block, size_t bytes) {
  if (block->bytes == bytes) return;
  Block* rest =
      new Block{block->address + bytes, block->bytes - bytes, true, block, block->next, 0};
  if (rest->next) rest->next->previous = rest;
  block->next = rest;
  block->bytes = bytes;
  free_.insert(rest);
}

MemoryPool::Block* MemoryPool::merge_with_next(Block* block) {
  Block* next = block->next;
  block->bytes += next->bytes;
  block->next = next->next;
  if (block->next) block->next->previous = block;
  delete next;
  return block;
}

void MemoryPool::trim() {
  for (auto at = segments_.begin(); at != segments_.end();) {
    Block* first = *at;
    if (!first->free || first->next) {
      ++at;
      continue;
    }
    free_.erase(first);
    upstream_.release(first->address, first->segment);
    total_ -= first->segment;
    delete first;
    at = segments_.erase(at);
  }
}

// As much again as is held, so the number of segments grows with the logarithm of the memory.
size_t MemoryPool::next_segment_size(size_t bytes) const {
  if (!keeps_) return bytes;
  if (bytes >= kLargestChunk) return round_up(bytes, 2 * kMiB);
  const size_t chunk = std::clamp(round_up(total_, 2 * kMiB), kSmallestSegment, kLargestChunk);
  return std::max(chunk, round_up(bytes, 2 * kMiB));
}

void MemoryPool::out_of_memory(size_t bytes) const {
  const std::string limit =
      limit_ ? fmt::format(", limit set to: {} bytes", with_commas(limit_)) : "";
  fail(ErrorKind::kMemory, "Out of memory allocating {} bytes (allocated so far: {} bytes{}).",
       with_commas(bytes), with_commas(used_), limit);
}

}  // namespace gpy::rt
