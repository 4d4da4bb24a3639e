#include "runtime/memory/pool.h"

#include <algorithm>
#include <tuple>

#include "runtime/core/error.h"
#include "runtime/core/size_text.h"
#include "runtime/memory/segment_watch.h"

namespace gpy::rt {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

// A segment costs one slow call whatever its size; memory held unused costs others.
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
  return std::tuple(a->arena, a->bytes, a->address) < std::tuple(b->arena, b->bytes, b->address);
}
bool MemoryPool::Smaller::operator()(const Block* a, const Wanted& wanted) const {
  return std::tuple(a->arena, a->bytes) < std::tuple(wanted.arena, wanted.bytes);
}

// Makes a block with its node of the set, so that later operations on it cannot fail.
std::unique_ptr<MemoryPool::Block> MemoryPool::make_block() {
  auto block = std::make_unique<Block>();
  FreeBlocks maker;
  maker.insert(block.get());
  block->place = maker.extract(maker.begin());
  return block;
}

MemoryPool::Block* MemoryPool::allocate(size_t bytes, const void* arena) {
  Lock lock(mutex_);
  if (bytes > SIZE_MAX - kLargestChunk) out_of_memory(bytes);
  const size_t rounded = round_up(std::max<size_t>(bytes, 1), kGranule);
  Block* block = find_free(rounded, arena);
  if (!block && !grow(lock, rounded, arena)) {
    take_over(arena);
    block = find_free(rounded, arena);
    if (!block) trim();
    if (!block && !grow(lock, rounded, arena)) out_of_memory(rounded);
  }
  if (!block) block = find_free(rounded, arena);
  std::unique_ptr<Block> rest = block->bytes > rounded ? make_block() : nullptr;
  take_out(block);
  if (rest) split(block, std::move(rest), rounded);
  used_ += rounded;
  peak_ = std::max(peak_, used_);
  return block;
}

void MemoryPool::release(Block* block, const void* arena) noexcept {
  const std::lock_guard lock(mutex_);
  used_ -= block->bytes;
  block->arena = arena;
  put_free(merge_with_neighbours(block));
  if (growth_ == Growth::kUnpooled) trim();
}

// The block is not in the free set; only free neighbours of its arena are merged with it.
MemoryPool::Block* MemoryPool::merge_with_neighbours(Block* block) noexcept {
  const auto joins = [&](const Block* other) {
    return other && other->free && other->arena == block->arena;
  };
  if (joins(block->next)) {
    take_out(block->next);
    block = merge_with_next(block);
  }
  if (joins(block->previous)) {
    take_out(block->previous);
    block = merge_with_next(block->previous);
  }
  return block;
}

void MemoryPool::move_free(const void* from, const void* to) noexcept {
  while (Block* block = find_free(0, from)) {
    take_out(block);
    block->arena = to;
    put_free(merge_with_neighbours(block));
  }
}

// Moves the free blocks of all other arenas to this one.
void MemoryPool::take_over(const void* arena) {
  const auto is_elsewhere = [&](const Block* block) {
    return block->arena != arena && !kept_.contains(block->arena);
  };
  for (auto at = std::ranges::find_if(free_, is_elsewhere); at != free_.end();
       at = std::ranges::find_if(free_, is_elsewhere)) {
    const void* from = (*at)->arena;
    upstream_.hand_over(from, arena);
    move_free(from, arena);
  }
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

MemoryPool::Block* MemoryPool::find_free(size_t bytes, const void* arena) {
  const auto found = free_.lower_bound(Wanted{arena, bytes});
  return found == free_.end() || (*found)->arena != arena ? nullptr : *found;
}

// Adds a whole chunk if the device has one, else just the bytes asked for. False: it has neither.
bool MemoryPool::grow(Lock& lock, size_t bytes, const void* arena) {
  const size_t chunk = next_segment_size(bytes);
  return add_segment(lock, chunk, arena) || (chunk > bytes && add_segment(lock, bytes, arena));
}

bool MemoryPool::add_segment(Lock& lock, size_t bytes, const void* arena) {
  if (!fits_limit(bytes)) return false;
  std::unique_ptr<Block> block = make_block();
  std::set<Block*> one{block.get()};
  block->address = take_segment(lock, bytes);
  if (!block->address) return false;
  block->bytes = block->segment = bytes;
  block->arena = arena;
  segments_.merge(one);
  put_free(block.release());
  return true;
}

void* MemoryPool::ask_upstream(size_t bytes) {
  SegmentWatch* const watch = SegmentWatch::current();
  if (!watch) return upstream_.allocate(bytes);
  watch->before_segment(bytes);
  void* const segment = upstream_.allocate(bytes);
  try {
    watch->after_segment(bytes, segment);
  } catch (...) {
    if (segment) upstream_.release(segment, bytes);
    throw;
  }
  return segment;
}

// Counted before it is asked for, so that all who ask at once stay within the limit.
char* MemoryPool::take_segment(Lock& lock, size_t bytes) {
  void* address = nullptr;
  total_ += bytes;
  lock.unlock();
  try {
    address = ask_upstream(bytes);
  } catch (...) {
    lock.lock();
    total_ -= bytes;
    throw;
  }
  lock.lock();
  if (!address) total_ -= bytes;
  return static_cast<char*>(address);
}

// Keeps the first `bytes` of a block that is not free; the rest becomes a free block.
void MemoryPool::split(Block* block, std::unique_ptr<Block> rest, size_t bytes) noexcept {
  rest->address = block->address + bytes;
  rest->bytes = block->bytes - bytes;
  rest->arena = block->arena;
  rest->previous = block;
  rest->next = block->next;
  if (rest->next) rest->next->previous = rest.get();
  block->next = rest.get();
  block->bytes = bytes;
  put_free(rest.release());
}

// Neither of them is in the free set.
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
    if (!first->free || first->next || kept_.contains(first->arena)) {
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

// The pool doubles, so the number of segments grows with the logarithm of the memory.
size_t MemoryPool::next_segment_size(size_t bytes) const {
  if (growth_ != Growth::kChunks) return bytes;
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
