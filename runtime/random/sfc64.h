#pragma once

// Small Fast Chaotic, 64 bits (C. Doty-Humphrey).

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "runtime/random/half_words.h"

namespace gpy::rt {

class Sfc64 : public HalfWords<Sfc64> {
 public:
  static constexpr int kSeedWords = 3;
  static constexpr int kStateWords = 6;

  Sfc64() = default;
  explicit Sfc64(std::span<const uint64_t> words) {
    std::copy_n(words.begin(), 3, state_);
    state_[3] = 1;
    for (int i = 0; i < 12; ++i) next64();
  }

  uint64_t next64() {
    const uint64_t result = state_[0] + state_[1] + state_[3]++;
    state_[0] = state_[1] ^ state_[1] >> 11;
    state_[1] = state_[2] + (state_[2] << 3);
    state_[2] = std::rotl(state_[2], 24) + result;
    return result;
  }

  // The state with its counter; whether half a draw is kept, and which.
  void save(std::span<uint64_t> to) const {
    std::copy_n(state_, 4, to.begin());
    to[4] = has_half_;
    to[5] = half_;
  }
  void restore(std::span<const uint64_t> from) {
    std::copy_n(from.begin(), 4, state_);
    has_half_ = from[4] != 0;
    half_ = static_cast<uint32_t>(from[5]);
  }

 private:
  uint64_t state_[4] = {0, 0, 0, 1};
};

}  // namespace gpy::rt
