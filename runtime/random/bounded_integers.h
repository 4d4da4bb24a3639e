#pragma once

// Unbiased integers below a bound from 32- and 64-bit draws, in the two ways of NumPy: Lemire's
// multiplication (Generator) and masked rejection (RandomState). Small types share one 32-bit
// draw among several results, for as long as one of these objects lives.

#include <cstdint>
#include <limits>
#include <type_traits>

namespace gpy::rt {

enum class Bounding : uint8_t { kLemire, kMasked };

// The smallest 2^k - 1 that holds `value`.
constexpr uint64_t mask_over(uint64_t value) {
  for (int shift = 1; shift < 64; shift *= 2) value |= value >> shift;
  return value;
}

template <class Bits, Bounding kBounding> class BoundedIntegers {
 public:
  explicit BoundedIntegers(Bits& bits) : bits_(bits) {}

  // 0 to `last`, both included. No draw is used when there is no choice.
  template <class U> [[gnu::always_inline]] U draw(U last) {
    if (last == 0) return 0;
    if constexpr (sizeof(U) == 8) {
      if (last <= UINT32_MAX) return draw_full<uint32_t>(static_cast<uint32_t>(last));
    }
    return draw_full<U>(last);
  }
  bool draw_bool(bool last) { return last && next_small(1); }

 private:
  template <class U> U draw_full(U last) {
    if (last == std::numeric_limits<U>::max()) return next<U>();
    return kBounding == Bounding::kMasked ? masked(last) : lemire(last);
  }

  template <class U> U masked(U last) {
    const U mask = static_cast<U>(mask_over(last));
    U value;
    while ((value = next<U>() & mask) > last) {
    }
    return value;
  }

  template <class U> U lemire(U last) {
    const U count = last + 1;
    Product<U> product = static_cast<Product<U>>(next<U>()) * count;
    if (static_cast<U>(product) < count) {
      const U threshold = static_cast<U>(std::numeric_limits<U>::max() - last) % count;
      while (static_cast<U>(product) < threshold) {
        product = static_cast<Product<U>>(next<U>()) * count;
      }
    }
    return static_cast<U>(product >> (8 * sizeof(U)));
  }

  template <class U> U next() {
    if constexpr (sizeof(U) == 8) return bits_.next64();
    if constexpr (sizeof(U) == 4) return bits_.next32();
    return static_cast<U>(next_small(8 * sizeof(U)));
  }

  // The low `width` bits of what is left of a 32-bit draw.
  uint32_t next_small(int width) {
    if (left_ == 0) {
      buffer_ = bits_.next32();
      left_ = 32 / width;
    } else {
      buffer_ >>= width;
    }
    --left_;
    return buffer_ & ((1u << width) - 1);
  }

  __extension__ using Product128 = unsigned __int128;
  template <class U>
  using Product = std::conditional_t<sizeof(U) == 8, Product128,
                                     std::conditional_t<sizeof(U) == 4, uint64_t, uint32_t>>;

  Bits& bits_;
  uint32_t buffer_ = 0;
  int left_ = 0;
};

}  // namespace gpy::rt
