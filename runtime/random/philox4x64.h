#pragma once

// Philox 4x64, ten rounds (J. K. Salmon et al., SC'11), behind numpy.random.Philox: four words that
// depend on a counter and a key alone.

#include <algorithm>
#include <cstdint>
#include <span>

#include "runtime/random/half_words.h"

namespace gpy::rt {

class Philox4x64 : public HalfWords<Philox4x64> {
 public:
  static constexpr int kSeedWords = 2;
  static constexpr int kStateWords = 13;

  Philox4x64() = default;
  explicit Philox4x64(std::span<const uint64_t> key) { std::copy_n(key.begin(), 2, key_); }

  uint64_t next64() {
    if (position_ == 4) refill();
    return buffer_[position_++];
  }

  // Counter, key and buffer; how much of the buffer is used up; whether half a draw is kept, and
  // which.
  void save(std::span<uint64_t> to) const {
    std::copy_n(counter_, 4, to.begin());
    std::copy_n(key_, 2, to.begin() + 4);
    std::copy_n(buffer_, 4, to.begin() + 6);
    to[10] = static_cast<uint64_t>(position_);
    to[11] = has_half_;
    to[12] = half_;
  }
  void restore(std::span<const uint64_t> from) {
    std::copy_n(from.begin(), 4, counter_);
    std::copy_n(from.begin() + 4, 2, key_);
    std::copy_n(from.begin() + 6, 4, buffer_);
    position_ = static_cast<int>(std::min<uint64_t>(from[10], 4));
    has_half_ = from[11] != 0;
    half_ = static_cast<uint32_t>(from[12]);
  }

 private:
  __extension__ using Wide = unsigned __int128;

  void refill() {
    for (uint64_t& word : counter_) {
      if (++word != 0) break;
    }
    uint64_t a = counter_[0], b = counter_[1], c = counter_[2], d = counter_[3];
    uint64_t k = key_[0], l = key_[1];
    for (int round = 0; round < 10; ++round) {
      const Wide first = static_cast<Wide>(0xD2E7470EE14C6C93u) * a;
      const Wide second = static_cast<Wide>(0xCA5A826395121157u) * c;
      a = static_cast<uint64_t>(second >> 64) ^ b ^ k;
      b = static_cast<uint64_t>(second);
      c = static_cast<uint64_t>(first >> 64) ^ d ^ l;
      d = static_cast<uint64_t>(first);
      k += 0x9E3779B97F4A7C15u;
      l += 0xBB67AE8584CAA73Bu;
    }
    buffer_[0] = a;
    buffer_[1] = b;
    buffer_[2] = c;
    buffer_[3] = d;
    position_ = 0;
  }

  uint64_t counter_[4] = {};
  uint64_t key_[2] = {};
  uint64_t buffer_[4] = {};
  int position_ = 4;
};

}  // namespace gpy::rt
