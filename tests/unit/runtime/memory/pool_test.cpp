#include "runtime/memory/pool.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "runtime/core/error.h"

namespace gpy::rt {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

// Hands out addresses without memory behind them, up to a bound.
class FakeUpstream final : public MemoryUpstream {
 public:
  explicit FakeUpstream(size_t bytes) : left_(bytes) {}
  void* allocate(size_t bytes) override {
    ++calls;
    if (bytes > left_) return nullptr;
    left_ -= bytes;
    held += bytes;
    char* address = next_;
    next_ += bytes + 4 * kMiB;
    return address;
  }
  void release(void*, size_t bytes) noexcept override {
    left_ += bytes;
    held -= bytes;
  }
  void hand_over(const void* from, const void* to) override { handed.emplace_back(from, to); }

  std::vector<std::pair<const void*, const void*>> handed;
  size_t held = 0;
  int calls = 0;

 private:
  size_t left_;
  char* next_ = reinterpret_cast<char*>(uintptr_t{1} << 40);
};

std::string message_of(MemoryPool& pool, size_t bytes) {
  try {
    pool.allocate(bytes);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kMemory);
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("a pool rounds to granules and takes one segment for many blocks") {
  FakeUpstream upstream(1024 * kMiB);
  MemoryPool pool(upstream);
  std::vector<MemoryPool::Block*> blocks;
  size_t granules = 0;
  for (int i = 0; i < 100; ++i) {
    blocks.push_back(pool.allocate(1 + 7 * i));
    granules += 1 + 7 * i / 512;
  }
  CHECK(upstream.calls == 1);
  for (MemoryPool::Block* block : blocks) {
    CHECK(reinterpret_cast<uintptr_t>(block->address) % MemoryPool::kGranule == 0);
    CHECK(block->bytes % MemoryPool::kGranule == 0);
  }
  CHECK(pool.use().used == 512 * granules);
  for (MemoryPool::Block* block : blocks) pool.release(block);
  CHECK(pool.use().used == 0);
  CHECK(pool.use().peak == 512 * granules);
  CHECK(pool.use().free_blocks == 1);
  CHECK(pool.use().total == upstream.held);
  pool.free_all_blocks();
  CHECK(upstream.held == 0);
}

TEST_CASE("a pool that keeps nothing takes a segment a block and gives it back") {
  FakeUpstream upstream(1024 * kMiB);
  MemoryPool pool(upstream, MemoryPool::Growth::kUnpooled);
  MemoryPool::Block* first = pool.allocate(1000);
  MemoryPool::Block* second = pool.allocate(1);
  CHECK(upstream.calls == 2);
  CHECK(upstream.held == 1024 + 512);
  pool.release(first);
  CHECK(upstream.held == 512);
  pool.release(second);
  CHECK(upstream.held == 0);
}

TEST_CASE("an exact pool asks for just what finds no free block, and keeps it") {
  FakeUpstream upstream(1024 * kMiB);
  MemoryPool pool(upstream, MemoryPool::Growth::kExact);
  MemoryPool::Block* first = pool.allocate(1000);
  CHECK(upstream.held == 1024);
  pool.release(first);
  CHECK(upstream.held == 1024);
  CHECK(pool.allocate(512) == first);
  CHECK(pool.use().free_blocks == 1);
  CHECK(upstream.calls == 1);
  pool.release(first);
}

namespace {

// A function of a script's may use the pool that asks it.
class UsesItsPool final : public MemoryUpstream {
 public:
  void* allocate(size_t bytes) override {
    if (bytes > 512) inner = pool->allocate(512);
    if (fails) throw Error(ErrorKind::kRuntime, "not today");
    return next_ += 1 << 20;
  }
  void release(void*, size_t) noexcept override {}
  void hand_over(const void*, const void*) override {}

  MemoryPool* pool = nullptr;
  MemoryPool::Block* inner = nullptr;
  bool fails = false;

 private:
  char* next_ = reinterpret_cast<char*>(uintptr_t{1} << 40);
};

}  // namespace

TEST_CASE("a pool can be used by what it asks for memory, and is whole when that fails") {
  UsesItsPool upstream;
  MemoryPool pool(upstream, MemoryPool::Growth::kExact);
  upstream.pool = &pool;
  MemoryPool::Block* outer = pool.allocate(1024);
  CHECK(pool.use().used == 1024 + 512);
  CHECK(pool.use().total == 1024 + 512);
  upstream.fails = true;
  CHECK_THROWS_AS(pool.allocate(512), Error);
  CHECK(pool.use().total == 1024 + 512);
  pool.release(outer);
  pool.release(upstream.inner);
  CHECK(pool.use().free_blocks == 2);
}

TEST_CASE("neighbours that are free become one block, in any order of release") {
  FakeUpstream upstream(1024 * kMiB);
  MemoryPool pool(upstream);
  std::vector<int> order = {0, 1, 2, 3, 4};
  do {
    std::vector<MemoryPool::Block*> blocks;
    for (int i = 0; i < 5; ++i) blocks.push_back(pool.allocate(1000 * (i + 1)));
    for (int i : order) pool.release(blocks[i]);
    REQUIRE(pool.use().free_blocks == 1);
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(upstream.calls == 1);
}

TEST_CASE("the smallest block that fits is taken") {
  FakeUpstream upstream(1024 * kMiB);
  MemoryPool pool(upstream);
  MemoryPool::Block* large = pool.allocate(64 * 512);
  MemoryPool::Block* wall = pool.allocate(512);
  MemoryPool::Block* small = pool.allocate(8 * 512);
  MemoryPool::Block* other_wall = pool.allocate(512);
  const char* expected = small->address;
  pool.release(large);
  pool.release(small);
  MemoryPool::Block* again = pool.allocate(7 * 512);
  CHECK(again->address == expected);
  for (MemoryPool::Block* block : {wall, other_wall, again}) pool.release(block);
}

TEST_CASE("what the device has no chunk for is taken exactly, after unused segments went back") {
  FakeUpstream upstream(100 * kMiB);
  MemoryPool pool(upstream);
  MemoryPool::Block* first = pool.allocate(70 * kMiB);
  CHECK(upstream.held == 70 * kMiB);
  MemoryPool::Block* second = pool.allocate(20 * kMiB);  // no chunk of 70 is left
  CHECK(upstream.held == 90 * kMiB);
  pool.release(first);
  MemoryPool::Block* third = pool.allocate(80 * kMiB);  // fits once the 70 are given back
  CHECK(upstream.held == 100 * kMiB);
  CHECK(message_of(pool, kMiB) ==
        "Out of memory allocating 1,048,576 bytes (allocated so far: 104,857,600 bytes).");
  pool.release(second);
  pool.release(third);
}

TEST_CASE("a limit is kept and said") {
  FakeUpstream upstream(1024 * kMiB);
  MemoryPool pool(upstream);
  pool.set_limit(8 * kMiB);
  MemoryPool::Block* block = pool.allocate(6 * kMiB);
  CHECK(
      message_of(pool, 4 * kMiB) ==
      "Out of memory allocating 4,194,304 bytes (allocated so far: 6,291,456 bytes, limit set to: "
      "8,388,608 bytes).");
  pool.set_limit(0);
  MemoryPool::Block* more = pool.allocate(4 * kMiB);
  pool.release(block);
  pool.release(more);
}

TEST_CASE("a free block is of the arena that used it last") {
  FakeUpstream upstream(64 * kMiB);
  MemoryPool pool(upstream);
  const int a = 0, b = 0;
  MemoryPool::Block* block = pool.allocate(kMiB, &a);
  const char* address = block->address;
  pool.release(block, &a);
  MemoryPool::Block* again = pool.allocate(kMiB, &a);
  CHECK(again->address == address);
  pool.release(again, &b);  // written by b's work at last
  CHECK(upstream.handed.empty());
  MemoryPool::Block* whole = pool.allocate(64 * kMiB, nullptr);
  CHECK(upstream.handed.size() == 2);
  CHECK(whole->bytes == 64 * kMiB);
  pool.release(whole, nullptr);
  CHECK(pool.use().free_blocks == 1);
}

TEST_CASE("what a kept arena has free is nobody else's before it ends") {
  FakeUpstream upstream(64 * kMiB);
  MemoryPool pool(upstream);
  const int arena = 0;
  pool.keep_arena(&arena);
  MemoryPool::Block* const block = pool.allocate(64 * kMiB, &arena);
  char* const address = block->address;
  pool.release(block, &arena);
  pool.free_all_blocks();
  CHECK(upstream.held == 64 * kMiB);
  CHECK(!message_of(pool, kMiB).empty());
  CHECK(upstream.handed.empty());
  MemoryPool::Block* const again = pool.allocate(kMiB, &arena);
  CHECK(again->address == address);
  pool.release(again, &arena);
  pool.end_arena(&arena, [] {});
  CHECK(pool.allocate(kMiB)->address == address);
}

TEST_CASE("what an arena leaves is the first one's") {
  FakeUpstream upstream(64 * kMiB);
  MemoryPool pool(upstream);
  const int arena = 0;
  pool.release(pool.allocate(kMiB, &arena), &arena);
  bool ended = false;
  pool.end_arena(&arena, [&] { ended = true; });
  CHECK(ended);
  MemoryPool::Block* block = pool.allocate(64 * kMiB, nullptr);
  CHECK(upstream.calls == 1);
  CHECK(upstream.handed.empty());
  pool.release(block, nullptr);
}

TEST_CASE("an impossible size is out of memory, not an overflow") {
  FakeUpstream upstream(1024 * kMiB);
  MemoryPool pool(upstream);
  for (size_t bytes : {SIZE_MAX, SIZE_MAX - 511, SIZE_MAX / 2}) {
    CHECK(message_of(pool, bytes).starts_with("Out of memory allocating "));
  }
}

TEST_CASE("a long trace of allocations wastes little and ends in one piece") {
  FakeUpstream upstream(size_t{1} << 40);
  MemoryPool pool(upstream);
  std::mt19937_64 random(7);
  std::vector<MemoryPool::Block*> live;
  std::vector<std::pair<char*, char*>> ranges;
  for (int step = 0; step < 20000; ++step) {
    if (live.size() < 200 || (live.size() < 400 && random() % 2)) {
      const size_t bytes = size_t{1} << (9 + random() % 14);
      live.push_back(pool.allocate(bytes + random() % bytes));
    } else {
      std::swap(live[random() % live.size()], live.back());
      pool.release(live.back());
      live.pop_back();
    }
  }
  for (MemoryPool::Block* block : live)
    ranges.push_back({block->address, block->address + block->bytes});
  std::ranges::sort(ranges);
  for (size_t i = 1; i < ranges.size(); ++i) REQUIRE(ranges[i - 1].second <= ranges[i].first);
  // The measured trace of scripts held 1.47 times its peak.
  CHECK(pool.use().total <= pool.use().peak * 2);
  for (MemoryPool::Block* block : live) pool.release(block);
  CHECK(pool.use().used == 0);
  pool.free_all_blocks();
  CHECK(pool.use().free_blocks == 0);
  CHECK(upstream.held == 0);
}

}  // namespace gpy::rt
