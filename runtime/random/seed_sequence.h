#pragma once

// numpy.random.SeedSequence (after M. E. O'Neill's seed_seq): spreads a seed of any length over as
// many state words as a generator wants.

#include <cstdint>
#include <span>
#include <vector>

namespace gpy::rt {

class SeedSequence {
 public:
  // A seed as NumPy splits ints into words: little end first, 0 is one word.
  explicit SeedSequence(std::span<const uint32_t> entropy, std::span<const uint32_t> spawn_key = {},
                        int pool_size = kPoolSize);
  explicit SeedSequence(uint64_t seed);
  // 128 bits from the operating system.
  static SeedSequence from_system();

  void generate_state(std::span<uint32_t> state) const;
  void generate_state(std::span<uint64_t> state) const;

  std::span<const uint32_t> entropy() const { return entropy_; }
  std::span<const uint32_t> pool() const { return pool_; }

 private:
  static constexpr int kPoolSize = 4;

  void mix_entropy(std::span<const uint32_t> spawn_key);

  std::vector<uint32_t> entropy_;
  std::vector<uint32_t> pool_;
};

// What a sequence with this pool generates.
void generate_state(std::span<const uint32_t> pool, std::span<uint32_t> state);

}  // namespace gpy::rt
