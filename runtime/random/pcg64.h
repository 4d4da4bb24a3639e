#pragma once

// PCG 128/64 (M. E. O'Neill) with its two outputs: XSL RR, the generator behind
// numpy.random.default_rng, and DXSM.

#include <bit>
#include <cstdint>
#include <span>

#include "runtime/random/half_words.h"
#include "runtime/random/seed_sequence.h"

namespace gpy::rt {

enum class PcgOutput : uint8_t { kXslRr, kDxsm };

template <PcgOutput kOutput> class Pcg : public HalfWords<Pcg<kOutput>> {
 public:
  static constexpr int kSeedWords = 4;
  static constexpr int kStateWords = 6;

  Pcg() = default;
  explicit Pcg(const SeedSequence& seed) {
    uint64_t words[kSeedWords];
    seed.generate_state(std::span<uint64_t>(words));
    *this = Pcg(words);
  }
  explicit Pcg(std::span<const uint64_t> words) {
    increment_ = join(words[2], words[3]) << 1 | 1;
    // Both begin with a step by the large multiplier.
    state_ = (increment_ + join(words[0], words[1])) * kMultiplier + increment_;
  }

  uint64_t next64() {
    if constexpr (kOutput == PcgOutput::kXslRr) {
      step();
      const auto high = static_cast<uint64_t>(state_ >> 64);
      return std::rotr(high ^ static_cast<uint64_t>(state_), static_cast<int>(high >> 58));
    } else {
      const uint64_t result = double_xorshift(state_);
      step();
      return result;
    }
  }

  // State and increment, high words first; whether half a draw is kept, and which.
  void save(std::span<uint64_t> to) const {
    to[0] = static_cast<uint64_t>(state_ >> 64);
    to[1] = static_cast<uint64_t>(state_);
    to[2] = static_cast<uint64_t>(increment_ >> 64);
    to[3] = static_cast<uint64_t>(increment_);
    to[4] = this->has_half_;
    to[5] = this->half_;
  }
  void restore(std::span<const uint64_t> from) {
    state_ = join(from[0], from[1]);
    increment_ = join(from[2], from[3]);
    this->has_half_ = from[4] != 0;
    this->half_ = static_cast<uint32_t>(from[5]);
  }

 private:
  __extension__ using Word = unsigned __int128;
  static constexpr uint64_t kCheapMultiplier = 0xda942042e4dd58b5u;

  static constexpr Word join(uint64_t high, uint64_t low) {
    return static_cast<Word>(high) << 64 | low;
  }
  static constexpr Word kMultiplier = join(2549297995355413924u, 4865540595714422341u);

  void step() {
    constexpr Word kStep = kOutput == PcgOutput::kDxsm ? Word{kCheapMultiplier} : kMultiplier;
    state_ = state_ * kStep + increment_;
  }
  static uint64_t double_xorshift(Word state) {
    auto high = static_cast<uint64_t>(state >> 64);
    const uint64_t low = static_cast<uint64_t>(state) | 1;
    high ^= high >> 32;
    high *= kCheapMultiplier;
    high ^= high >> 48;
    return high * low;
  }

  Word state_ = 0;
  Word increment_ = 1;
};

using Pcg64 = Pcg<PcgOutput::kXslRr>;
using Pcg64Dxsm = Pcg<PcgOutput::kDxsm>;

}  // namespace gpy::rt
