#pragma once

// 32-bit draws from generators of 64 bits, as NumPy makes them: the low half of a draw, then its
// other half.

#include <cstdint>

namespace gpy::rt {

// `Engine` has next64().
template <class Engine> class HalfWords {
 public:
  uint32_t next32() {
    if (has_half_) {
      has_half_ = false;
      return half_;
    }
    const uint64_t both = static_cast<Engine*>(this)->next64();
    has_half_ = true;
    half_ = static_cast<uint32_t>(both >> 32);
    return static_cast<uint32_t>(both);
  }
  double next_double() {
    return static_cast<double>(static_cast<Engine*>(this)->next64() >> 11) * 0x1p-53;
  }
  float next_float() { return static_cast<float>(next32() >> 8) * 0x1p-24f; }
  uint64_t next_raw() { return static_cast<Engine*>(this)->next64(); }

 protected:
  bool has_half_ = false;
  uint32_t half_ = 0;
};

}  // namespace gpy::rt
