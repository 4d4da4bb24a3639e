#pragma once

// The Mersenne Twister (M. Matsumoto, T. Nishimura), behind numpy.random.seed and RandomState.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "runtime/random/seed_sequence.h"

namespace gpy::rt {

class Mt19937 {
 public:
  static constexpr int kSeedWords = 624;
  static constexpr int kStateWords = 625;

  Mt19937() : Mt19937(uint32_t{5489}) {}
  // The words of a seed sequence, or all of a state.
  explicit Mt19937(std::span<const uint64_t> words);
  // Seeds as numpy.random.MT19937(seed) and the unseeded RandomState do.
  explicit Mt19937(const SeedSequence& seed);
  // Seeds as numpy.random.seed(int) does: init_genrand.
  explicit Mt19937(uint32_t seed);
  // Seeds as numpy.random.seed(sequence) does: init_by_array. `key` is not empty.
  explicit Mt19937(std::span<const uint32_t> key);

  uint32_t next32() {
    if (position_ == kLength) refill();
    return draws_[position_++];
  }
  uint64_t next64() {
    const auto [high, low] = next_pair();
    return static_cast<uint64_t>(high) << 32 | low;
  }
  double next_double() {
    const auto [high, low] = next_pair();
    return ((high >> 5) * 67108864.0 + (low >> 6)) / 9007199254740992.0;
  }
  uint64_t next_raw() { return next32(); }
  // Its words, and how many of them are used up.
  void save(std::span<uint64_t> to) const {
    std::copy(state_.begin(), state_.end(), to.begin());
    to[kLength] = static_cast<uint64_t>(position_);
  }
  void restore(std::span<const uint64_t> from) {
    for (int i = 0; i < kLength; ++i) state_[i] = static_cast<uint32_t>(from[i]);
    position_ = static_cast<int>(std::min<uint64_t>(from[kLength], kLength));
    temper();
  }
  // As 2^128 draws of 32 bits change the state.
  void jump();
  // The whole state: its words, and how many of them are used up.
  std::span<const uint32_t> words() const { return state_; }
  int position() const { return position_; }
  // `words` as many as words() gives, 0 <= position <= their number.
  void restore(std::span<const uint32_t> words, int position) {
    std::copy(words.begin(), words.end(), state_.begin());
    position_ = position;
    temper();
  }
  float next_float() { return static_cast<float>(next32() >> 8) * 0x1p-24f; }

 private:
  struct Pair {
    uint32_t first, second;
  };
  Pair next_pair() {
    if (position_ + 2 > kLength) {
      const uint32_t first = next32();
      return {first, next32()};
    }
    position_ += 2;
    return {draws_[position_ - 2], draws_[position_ - 1]};
  }

  static constexpr int kLength = 624;
  static constexpr int kShiftSize = 397;

  void init(uint32_t seed);
  void init_by_array(std::span<const uint32_t> key);
  void refill();
  void temper();
  void step();
  void add(const Mt19937& other);

  std::array<uint32_t, kLength> state_;
  std::array<uint32_t, kLength> draws_;  // what the words of the state give
  int position_ = kLength;
};

}  // namespace gpy::rt
