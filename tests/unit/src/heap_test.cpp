#include "src/memory/heap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "src/value.h"

namespace gpy {

TEST_CASE("blocks do not overlap, and all memory comes back") {
  Heap heap;
  struct Block {
    char* at;
    size_t bytes;
    char mark;
  };
  std::vector<Block> blocks;
  std::mt19937 random(1);
  auto free_one = [&](size_t i) {
    Block block = blocks[i];
    blocks[i] = blocks.back();
    blocks.pop_back();
    bool whole = true;
    for (size_t k = 8; k < block.bytes; ++k) whole &= block.at[k] == block.mark;
    CHECK(whole);
    heap.free(block.at, block.bytes);
  };
  for (int turn = 0; turn < 50000; ++turn) {
    bool grow = random() % 100 < (turn < 25000 ? 60u : 40u);
    if (grow || blocks.empty()) {
      size_t bytes = 16 + random() % (turn % 7 ? 100 : 900);
      auto* at = static_cast<char*>(heap.allocate(bytes, random() % 2));
      auto mark = static_cast<char>(random());
      std::memset(at, 0, 8);
      std::memset(at + 8, mark, bytes - 8);
      blocks.push_back({at, bytes, mark});
    } else {
      free_one(random() % blocks.size());
    }
  }
  while (!blocks.empty()) free_one(blocks.size() - 1);
  size_t seen = 0;
  heap.for_each_tracked([&](Object*) { ++seen; });
  CHECK(seen == 0);
  CHECK(heap.bytes() < 3 << 20);  // a slab is kept for each size
}

TEST_CASE("tracked blocks are all seen, others are not") {
  Heap heap;
  std::vector<void*> tracked, all;
  auto size_of = [](int i) { return 16 + static_cast<size_t>(i % 60) * 16; };
  for (int i = 0; i < 5000; ++i) {
    void* at = heap.allocate(size_of(i), i % 2);
    std::memset(at, 0, size_of(i));
    all.push_back(at);
    if (i % 2) tracked.push_back(at);
  }
  std::vector<void*> seen;
  heap.for_each_tracked([&](Object* object) { seen.push_back(object); });
  std::sort(seen.begin(), seen.end());
  std::sort(tracked.begin(), tracked.end());
  CHECK(seen == tracked);
  for (int i = 0; i < 5000; ++i) heap.free(all[static_cast<size_t>(i)], size_of(i));
}

TEST_CASE("held blocks keep their content until they are let go, and are no objects") {
  Heap heap;
  auto* at = static_cast<char*>(heap.allocate(64, true));
  std::memset(at, 2, 64);
  heap.hold();
  heap.free(at, 64);
  CHECK(at[8] == 2);
  heap.for_each_tracked([](Object*) { FAIL_CHECK("a block that was given back"); });
  CHECK(heap.release_held(SIZE_MAX));
}

}  // namespace gpy
