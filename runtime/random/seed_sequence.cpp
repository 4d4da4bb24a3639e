#include "runtime/random/seed_sequence.h"

#include <array>
#include <random>

namespace gpy::rt {
namespace {

constexpr uint32_t kInitA = 0x43b0d7e5;
constexpr uint32_t kMultiplyA = 0x931e8875;
constexpr uint32_t kInitB = 0x8b51f9dd;
constexpr uint32_t kMultiplyB = 0x58f38ded;
constexpr uint32_t kMixLeft = 0xca01f9dd;
constexpr uint32_t kMixRight = 0x4973f715;
constexpr int kShift = 16;

// Each use of the hash changes its constant.
class Hash {
 public:
  Hash(uint32_t start, uint32_t multiplier) : constant_(start), multiplier_(multiplier) {}
  uint32_t operator()(uint32_t value) {
    value ^= constant_;
    constant_ *= multiplier_;
    value *= constant_;
    return value ^ value >> kShift;
  }

 private:
  uint32_t constant_;
  uint32_t multiplier_;
};

uint32_t mix(uint32_t x, uint32_t y) {
  const uint32_t result = kMixLeft * x - kMixRight * y;
  return result ^ result >> kShift;
}

std::vector<uint32_t> words_of(uint64_t seed) {
  const auto low = static_cast<uint32_t>(seed);
  const auto high = static_cast<uint32_t>(seed >> 32);
  return high ? std::vector<uint32_t>{low, high} : std::vector<uint32_t>{low};
}

}  // namespace

SeedSequence::SeedSequence(std::span<const uint32_t> entropy, std::span<const uint32_t> spawn_key,
                           int pool_size)
    : entropy_(entropy.begin(), entropy.end()), pool_(pool_size) {
  mix_entropy(spawn_key);
}

SeedSequence::SeedSequence(uint64_t seed) : SeedSequence(words_of(seed)) {}

SeedSequence SeedSequence::from_system() {
  std::random_device device;
  const std::array<uint32_t, kPoolSize> words = {device(), device(), device(), device()};
  return SeedSequence(words);
}

void SeedSequence::mix_entropy(std::span<const uint32_t> spawn_key) {
  const size_t size = pool_.size();
  std::vector<uint32_t> words = entropy_;
  if (!spawn_key.empty() && words.size() < size) words.resize(size);
  words.insert(words.end(), spawn_key.begin(), spawn_key.end());
  Hash hash(kInitA, kMultiplyA);
  for (size_t i = 0; i < size; ++i) pool_[i] = hash(i < words.size() ? words[i] : 0);
  for (size_t from = 0; from < size; ++from) {
    for (size_t to = 0; to < size; ++to) {
      if (from != to) pool_[to] = mix(pool_[to], hash(pool_[from]));
    }
  }
  for (size_t i = size; i < words.size(); ++i) {
    for (uint32_t& to : pool_) to = mix(to, hash(words[i]));
  }
}

void generate_state(std::span<const uint32_t> pool, std::span<uint32_t> state) {
  Hash hash(kInitB, kMultiplyB);
  for (size_t i = 0; i < state.size(); ++i) state[i] = hash(pool[i % pool.size()]);
}

void SeedSequence::generate_state(std::span<uint32_t> state) const {
  rt::generate_state(pool_, state);
}

void SeedSequence::generate_state(std::span<uint64_t> state) const {
  std::vector<uint32_t> halves(2 * state.size());
  generate_state(halves);
  for (size_t i = 0; i < state.size(); ++i) {
    state[i] = halves[2 * i] | static_cast<uint64_t>(halves[2 * i + 1]) << 32;
  }
}

}  // namespace gpy::rt
