#pragma once

// Writes bounded integers of any type to memory, for both generators.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "runtime/core/interrupt.h"
#include "runtime/random/bounded_integers.h"
#include "runtime/random/integer_range.h"

namespace gpy::rt {

// 0 .. n-1; none for a negative n.
inline std::vector<int64_t> count_to(int64_t n) {
  std::vector<int64_t> items;
  items.reserve(std::max<int64_t>(n, 0));
  for_each_polled(n, [&](int64_t i) { items.push_back(i); });
  return items;
}

// The range of each element: its own, or one for all.
class RangeOfEach {
 public:
  explicit RangeOfEach(std::span<const IntegerRange> ranges)
      : ranges_(ranges.data()), step_(ranges.size() == 1 ? 0 : 1) {}
  const IntegerRange& operator()(int64_t i) const { return ranges_[i * step_]; }

 private:
  const IntegerRange* ranges_;
  int64_t step_;
};

// Calls draw(i) for 0 .. count - 1 and hands each block of results on as take(first, values, n).
// Results wait in memory of their own, which the compiler knows not to be the generator's state.
template <class U, class Draw, class Take>
void draw_in_blocks(int64_t count, const Draw& draw, const Take& take) {
  constexpr int64_t kBlock = 256;
  U block[kBlock];
  for (int64_t first = 0; first < count; first += kBlock) {
    poll_interrupt();
    const int64_t n = std::min(count - first, kBlock);
    for (int64_t i = 0; i < n; ++i) block[i] = draw(first + i);
    take(first, block, n);
  }
}

// `range_at(i)` gives the i-th element's range.
template <class U, class Draws, class RangeAt>
void fill_integers_of(Draws& draws, const RangeAt& range_at, void* out, int64_t count) {
  U* values = static_cast<U*>(out);
  draw_in_blocks<U>(
      count,
      [&](int64_t i) {
        const IntegerRange& range = range_at(i);
        return static_cast<U>(static_cast<uint64_t>(range.first) +
                              draws.template draw<U>(static_cast<U>(range.last)));
      },
      [&](int64_t first, const U* block, int64_t n) {
        std::memcpy(values + first, block, n * sizeof(U));
      });
}

template <class Draws, class RangeAt>
void fill_bools(Draws& draws, const RangeAt& range_at, void* out, int64_t count) {
  bool* values = static_cast<bool*>(out);
  for_each_polled(count, [&](int64_t i) {
    const IntegerRange& range = range_at(i);
    values[i] = range.last == 0 ? range.first != 0 : draws.draw_bool(true);
  });
}

template <Bounding kBounding, class Bits, class RangeAt>
void fill_integers(Bits& bits, DType dtype, const RangeAt& range_at, void* out, int64_t count) {
  BoundedIntegers<Bits, kBounding> draws(bits);
  if (dtype == DType::kBool) return fill_bools(draws, range_at, out, count);
  switch (item_size(dtype)) {
    case 1: return fill_integers_of<uint8_t>(draws, range_at, out, count);
    case 2: return fill_integers_of<uint16_t>(draws, range_at, out, count);
    case 4: return fill_integers_of<uint32_t>(draws, range_at, out, count);
    default: return fill_integers_of<uint64_t>(draws, range_at, out, count);
  }
}

}  // namespace gpy::rt
