#pragma once

// numpy.random.SeedSequence (after M. E. O'Neill's seed_seq): spreads a seed of any length over as
// many state words as a generator wants.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace gpy::rt {

class SeedSequence {
 public:
  // A seed as NumPy splits ints into words: little end first, 0 is one word.
  explicit SeedSequence(std::span<const uint32_t> entropy,
                        std::span<const uint32_t> spawn_key = {});
  explicit SeedSequence(uint64_t seed);
  // 128 bits from the operating system.
  static SeedSequence from_system();

  void generate_state(std::span<uint32_t> state) const;
  void generate_state(std::span<uint64_t> state) const;

  // The next child: its draws are independent of this one's and of its siblings'.
  SeedSequence spawn();

  std::span<const uint32_t> entropy() const { return entropy_; }

 private:
  static constexpr int kPoolSize = 4;

  void mix_entropy();

  std::vector<uint32_t> entropy_;
  std::vector<uint32_t> spawn_key_;
  uint32_t children_ = 0;
  std::array<uint32_t, kPoolSize> pool_ = {};
};

}  // namespace gpy::rt
