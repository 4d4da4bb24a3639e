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

bool MemoryPool::Smaller::operator()(const Block* a, const Block* b) const {
  return a->bytes != b->bytes ? a->bytes < b->bytes : a->address < b->address;
}
bool MemoryPool::Smaller::operator()(const Block* a, size_t bytes) const {
  return a->bytes < bytes;
}
bool MemoryPool::Smaller::operator()(size_t bytes, const Block* a) const {
  return bytes < a->bytes;
}

// With its place, so that what is done with it later cannot fail.
std::unique_ptr<MemoryPool::Block> MemoryPool::make_block() {
  auto block = std::make_unique<Block>();
  FreeBlocks maker;
  maker.insert(block.get());
  block->place = maker.extract(maker.begin());
  return block;
}

MemoryPool::Block* MemoryPool::allocate(size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > SIZE_MAX - kLargestChunk) out_of_memory(bytes);
  const size_t rounded = round_up(std::max<size_t>(bytes, 1), kGranule);
  Block* block = find_free(rounded);
  if (!block && !grow(rounded)) {
    trim();
    if (!grow(rounded)) out_of_memory(rounded);
  }
  if (!block) block = find_free(rounded);
  std::unique_ptr<Block> rest = block->bytes > rounded ? make_block() : nullptr;
  take_out(block);
  if (rest) split(block, std::move(rest), rounded);
  used_ += rounded;
  peak_ = std::max(peak_, used_);
  return block;
}

void MemoryPool::release(Block* block) noexcept {
  const std::lock_guard lock(mutex_);
  used_ -= block->bytes;
  if (block->next && block->next->free) {
    take_out(block->next);
    block = merge_with_next(block);
  }
  if (block->previous && block->previous->free) {
    take_out(block->previous);
    block = merge_with_next(block->previous);
  }
  put_free(block);
  if (!keeps_) trim();
}

void MemoryPool::put_free(Block* block) noexcept {
  block->free = true;
  block->place.value() = block;
  free_.insert(std::move(block->place));
}

void MemoryPool::take_out(Block* block) noexcept {
  block->free = false;
  block->place = free_.extract(block);
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

MemoryPool::Block* MemoryPool::find_free(size_t bytes) {
  const auto found = free_.lower_bound(bytes);
  return found == free_.end() ? nullptr : *found;
}

// A whole chunk if the device has one, else just what is asked for. False: it has neither.
bool MemoryPool::grow(size_t bytes) {
  const size_t chunk = next_segment_size(bytes);
  return add_segment(chunk) || (chunk > bytes && add_segment(bytes));
}

bool MemoryPool::add_segment(size_t bytes) {
  if (!fits_limit(bytes)) return false;
  std::unique_ptr<Block> block = make_block();
  std::set<Block*> one{block.get()};
  block->address = static_cast<char*>(upstream_.allocate(bytes));
  if (!block->address) return false;
  block->bytes = block->segment = bytes;
  segments_.merge(one);
  total_ += bytes;
  put_free(block.release());
  return true;
}

// Keeps the first `bytes` of a block that is not free; the rest becomes a free block.
void MemoryPool::split(Block* block, std::unique_ptr<Block> rest, size_t bytes) noexcept {
  rest->address = block->address + bytes;
  rest->bytes = block->bytes - bytes;
  rest->previous = block;
  rest->next = block->next;
  if (rest->next) rest->next->previous = rest.get();
  block->next = rest.get();
  block->bytes = bytes;
  put_free(rest.release());
}

// Neither of them is among the free ones.
MemoryPool::Block* MemoryPool::merge_with_next(Block* block) noexcept {
  Block* next = block->next;
  block->bytes += next->bytes;
  block->next = next->next;
  if (block->next) block->next->previous = block;
  delete next;
  return block;
}

void MemoryPool::trim() noexcept {
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
