#include "runtime/random/mt19937.h"

#include <algorithm>

namespace gpy::rt {
namespace {

uint32_t twist(uint32_t upper, uint32_t lower, uint32_t far) {
  const uint32_t y = (upper & 0x80000000u) | (lower & 0x7fffffffu);
  return far ^ y >> 1 ^ (-(y & 1) & 0x9908b0dfu);
}

}  // namespace

Mt19937::Mt19937(const SeedSequence& seed) {
  seed.generate_state(std::span<uint32_t>(state_));
  // One bit that is surely set: the state must not be all zeros.
  state_[0] = 0x80000000u;
  position_ = kLength - 1;
  temper();
}

Mt19937::Mt19937(std::span<const uint64_t> words) {
  for (int i = 0; i < kLength; ++i) state_[i] = static_cast<uint32_t>(words[i]);
  state_[0] = 0x80000000u;
  position_ = kLength - 1;
  temper();
}

Mt19937::Mt19937(uint32_t seed) { init(seed); }

Mt19937::Mt19937(std::span<const uint32_t> key) { init_by_array(key); }

void Mt19937::init(uint32_t seed) {
  for (uint32_t i = 0; i < kLength; ++i) {
    state_[i] = seed;
    seed = 1812433253u * (seed ^ seed >> 30) + i + 1;
  }
}

void Mt19937::init_by_array(std::span<const uint32_t> key) {
  init(19650218u);
  uint32_t i = 1;
  size_t j = 0;
  auto advance = [&] {
    if (++i < kLength) return;
    state_[0] = state_[kLength - 1];
    i = 1;
  };
  for (size_t k = std::max<size_t>(kLength, key.size()); k > 0; --k) {
    const uint32_t previous = state_[i - 1];
    state_[i] =
        (state_[i] ^ (previous ^ previous >> 30) * 1664525u) + key[j] + static_cast<uint32_t>(j);
    advance();
    if (++j >= key.size()) j = 0;
  }
  for (int k = kLength - 1; k > 0; --k) {
    const uint32_t previous = state_[i - 1];
    state_[i] = (state_[i] ^ (previous ^ previous >> 30) * 1566083941u) - i;
    advance();
  }
  state_[0] = 0x80000000u;
}

void Mt19937::refill() {
  int i = 0;
  for (; i < kLength - kShiftSize; ++i) {
    state_[i] = twist(state_[i], state_[i + 1], state_[i + kShiftSize]);
  }
  for (; i < kLength - 1; ++i) {
    state_[i] = twist(state_[i], state_[i + 1], state_[i + kShiftSize - kLength]);
  }
  state_[i] = twist(state_[i], state_[0], state_[kShiftSize - 1]);
  position_ = 0;
  temper();
}

// All at once, in vectors.
void Mt19937::temper() {
  for (int i = 0; i < kLength; ++i) {
    uint32_t y = state_[i];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    draws_[i] = y ^ y >> 18;
  }
}

}  // namespace gpy::rt
