#pragma once

// PCG XSL RR 128/64 (M. E. O'Neill), the generator behind numpy.random.default_rng.

#include <bit>
#include <cstdint>

#include "runtime/random/seed_sequence.h"

namespace gpy::rt {

class Pcg64 {
 public:
  explicit Pcg64(const SeedSequence& seed) {
    uint64_t words[4];
    seed.generate_state(std::span<uint64_t>(words));
    increment_ = join(words[2], words[3]) << 1 | 1;
    step();
    state_ += join(words[0], words[1]);
    step();
  }

  uint64_t next64() {
    step();
    const auto high = static_cast<uint64_t>(state_ >> 64);
    return std::rotr(high ^ static_cast<uint64_t>(state_), static_cast<int>(high >> 58));
  }
  // Half of a 64-bit draw; the other half is kept for the next call.
  uint32_t next32() {
    if (has_half_) {
      has_half_ = false;
      return half_;
    }
    const uint64_t both = next64();
    has_half_ = true;
    half_ = static_cast<uint32_t>(both >> 32);
    return static_cast<uint32_t>(both);
  }
  double next_double() { return static_cast<double>(next64() >> 11) * 0x1p-53; }
  float next_float() { return static_cast<float>(next32() >> 8) * 0x1p-24f; }

 private:
  __extension__ using Word = unsigned __int128;

  static Word join(uint64_t high, uint64_t low) { return static_cast<Word>(high) << 64 | low; }
  void step() { state_ = state_ * join(2549297995355413924u, 4865540595714422341u) + increment_; }

  Word state_ = 0;
  Word increment_;
  bool has_half_ = false;
  uint32_t half_ = 0;
};

}  // namespace gpy::rt
