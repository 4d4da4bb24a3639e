#include "runtime/host_kernel/block_stacks.h"

#include <doctest/doctest.h>

#include <cstring>

namespace gpy::rt {

TEST_CASE("a region is aligned to its size, and tells whose stack an address is on") {
  for (unsigned shift : {kStackShift, kLargeStackShift}) {
    BlockStacks stacks(shift);
    char* const region = static_cast<char*>(stacks.prepare(1024, 0).region);
    const size_t bytes = size_t{2048} << shift;
    CHECK(reinterpret_cast<uintptr_t>(region) % bytes == 0);
    unsigned thread = 0;
    for (unsigned i : {0u, 1u, 500u, 1023u}) {
      char* const stack = region + bytes / 2 + (size_t{i} << shift);
      std::memset(stack + 8192, 1, 100);
      CHECK(BlockStacks::find_thread(region, shift, stack + 8192, &thread));
      CHECK(thread == i);
    }
    CHECK_FALSE(BlockStacks::find_thread(region, shift, region + bytes / 2 - 1, &thread));
    CHECK_FALSE(BlockStacks::find_thread(region, shift, region + bytes, &thread));
    CHECK_FALSE(BlockStacks::find_thread(nullptr, shift, region, &thread));
  }
}

TEST_CASE("shared memory ends at a page, whatever was asked for before") {
  BlockStacks stacks(kStackShift);
  CHECK(stacks.prepare(1, 0).shared == nullptr);
  for (size_t bytes : {128, 100, 232448, 4096, 4097}) {
    char* const shared = stacks.prepare(1, bytes).shared;
    std::memset(shared, 1, bytes);
    CHECK(reinterpret_cast<uintptr_t>(shared) % 128 == 0);
    CHECK((reinterpret_cast<uintptr_t>(shared) + (bytes + 127) / 128 * 128) % 4096 == 0);
  }
}

TEST_CASE("a region that was given back is lent again") {
  BlockStacksPool pool;
  void* first = nullptr;
  {
    const auto lent = pool.take(kStackShift);
    first = lent->prepare(1, 0).region;
    const auto other = pool.take(kStackShift);
    CHECK(other->prepare(1, 0).region != first);
  }
  const auto a = pool.take(kStackShift), b = pool.take(kStackShift);
  CHECK((a->prepare(1, 0).region == first || b->prepare(1, 0).region == first));
}

}  // namespace gpy::rt
