#pragma once

// A source of random bits, and the loops that draw numbers from it: those of
// numpy.random.Generator, and by the names with `frozen` those of RandomState. The same seed gives
// NumPy's own numbers. Draws of one array are in C order.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "runtime/core/dtype.h"
#include "runtime/random/bounded_integers.h"
#include "runtime/random/choice.h"
#include "runtime/random/distribution.h"
#include "runtime/random/integer_range.h"

namespace gpy::rt {

class BitGenerator {
 public:
  virtual ~BitGenerator() = default;

  // Starts from seed_words() words of a seed sequence.
  virtual int seed_words() const = 0;
  virtual void seed(std::span<const uint64_t> words) = 0;
  // All of the state, as the engines' headers say.
  virtual std::vector<uint64_t> state() const = 0;
  virtual void restore(std::span<const uint64_t> state) = 0;

  virtual uint64_t next64() = 0;
  virtual uint32_t next32() = 0;
  virtual double next_double() = 0;
  // As wide as the engine makes them.
  virtual uint64_t next_raw() = 0;
  virtual void raw(std::span<uint64_t> out) = 0;

  virtual void random(std::span<double> out) = 0;
  virtual void random(std::span<float> out) = 0;
  virtual void standard_normal(std::span<double> out) = 0;
  virtual void standard_normal(std::span<float> out) = 0;
  virtual void standard_exponential(std::span<double> out) = 0;
  virtual void standard_exponential(std::span<float> out) = 0;
  // method="inv"
  virtual void standard_exponential_inverse(std::span<double> out) = 0;
  virtual void standard_exponential_inverse(std::span<float> out) = 0;
  // A shape for each element, or one for all.
  virtual void standard_gamma(std::span<const float> shapes, std::span<float> out) = 0;
  virtual void draw(Distribution distribution, const Parameters& parameters, void* out,
                    int64_t count) = 0;

  virtual void frozen_normal(SpareNormal& spare, std::span<double> out) = 0;
  virtual void frozen_exponential(std::span<double> out) = 0;
  virtual void frozen_draw(SpareNormal& spare, Distribution distribution,
                           const Parameters& parameters, void* out, int64_t count) = 0;

  // `count` integers of the type into `out`, contiguous: a range for each element, or one for all.
  virtual void integers(DType dtype, std::span<const IntegerRange> ranges, Bounding bounding,
                        void* out, int64_t count) = 0;
  // 0 to `last`, both included, by masked rejection.
  virtual uint64_t interval(uint64_t last) = 0;
  // Calls swap(i, j) for each exchange of a shuffle of n items.
  virtual void shuffle(int64_t n, const std::function<void(int64_t, int64_t)>& swap) = 0;
  // A shuffled 0 .. n-1; permuting an array's rows by it is what permutation(array) does.
  virtual std::vector<int64_t> permutation(int64_t n) = 0;
  // Indices into the population.
  virtual std::vector<int64_t> choice(const ChoiceRequest& request, RandomApi api) = 0;
};

}  // namespace gpy::rt
