#include "runtime/random/block_draws.h"

#include "runtime/random/draw_loops.h"

namespace gpy::rt {
namespace {

// What samplers ask of an element's block: Philox blocks of a key that is the element's alone.
class BlockBits {
 public:
  static constexpr bool kFrozen = false;

  BlockBits(u64 seed, u64 first) : seed_(seed), first_(first) {}

  void begin(i64 element) {
    key_ = philox(first_ + u64(element), seed_);
    counter_ = 0;
    has_half_ = false;
  }
  f64 uniform(f64) { return uniform_double(next()); }
  // G. E. P. Box, M. E. Muller (1958).
  f64 normal(f64) {
    const f64 u = uniform(0.0), v = uniform(0.0);
    return std::sqrt(-2.0 * std::log1p(-u)) * std::cos(2.0 * M_PI * v);
  }
  f64 exponential(f64) { return -std::log1p(-uniform(0.0)); }
  // The remainder's bias, last / 2^64, is below anything a sample can show.
  u64 interval(u64 last) { return next() % (last + 1); }
  f64 log_factorial(i64 k) { return log_gamma(f64(k + 1)); }
  // Parameters that nothing fits would be rejected for ever.
  bool more() const { return counter_ < kMostBlocks; }

 private:
  static constexpr u64 kMostBlocks = 1 << 20;

  u64 next() {
    if (has_half_) {
      has_half_ = false;
      return half_;
    }
    const Philox block = philox_block(counter_++, key_);
    half_ = u64(block.word[3]) << 32 | block.word[2];
    has_half_ = true;
    return u64(block.word[1]) << 32 | block.word[0];
  }

  u64 seed_, first_;
  u64 key_ = 0, counter_ = 0;
  u64 half_ = 0;
  bool has_half_ = false;
};

}  // namespace

void draw_blocks(uint64_t seed, uint64_t first, Distribution distribution,
                 const Parameters& parameters, void* out, int64_t count) {
  BlockBits bits(seed, first);
  draw_row(bits, distribution, parameters, out, count);
}

}  // namespace gpy::rt
