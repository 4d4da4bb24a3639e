// Draws of an element by itself: samplers.h's algorithms on a block of bits that is the element's
// own, so that it depends on no other one, whatever the distribution rejects.

// Functions that a sampler calls at many places: one copy of each keeps kernels small.
#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
#define GPY_CALLED __device__ __noinline__
#else
#define GPY_CALLED __attribute__((noinline))
#endif

// What samplers ask of an element's block: Philox blocks of the element's key.
struct BlockBits {
  static constexpr bool kFrozen = false;
  static constexpr u64 kMostBlocks = 4096;

  u64 key, counter, half;
  bool has_half;

  GPY_MEMBER explicit BlockBits(u64 key) : key(key), counter(0), half(0), has_half(false) {}

  GPY_CALLED u64 next() {
    if (has_half) {
      has_half = false;
      return half;
    }
    Philox block = philox_block(counter++, key);
    half = u64(block.word[3]) << 32 | block.word[2];
    has_half = true;
    return u64(block.word[1]) << 32 | block.word[0];
  }
  GPY_MEMBER f64 uniform(f64) { return uniform_double(next()); }
  // G. E. P. Box, M. E. Muller (1958).
  GPY_CALLED f64 normal(f64) {
    f64 u = uniform(0.0), v = uniform(0.0);
    return ::sqrt(-2.0 * ::log1p(-u)) * ::cos(6.283185307179586 * v);
  }
  GPY_CALLED f64 exponential(f64) { return -::log1p(-uniform(0.0)); }
  // The remainder's bias, last / 2^64, is below anything a sample can show.
  GPY_MEMBER u64 interval(u64 last) { return next() % (last + 1); }
  GPY_CALLED f64 log_factorial(i64 k) { return log_gamma(f64(k + 1)); }
  // Of 4096 attempts one is accepted, but for parameters that nothing fits.
  GPY_MEMBER bool more() const { return counter < kMostBlocks; }
};

template <class Sampler> GPY_CALLED auto draw(u64 key, const Sampler& sampler) {
  BlockBits bits(key);
  return sampler.draw(bits);
}
#undef GPY_CALLED
