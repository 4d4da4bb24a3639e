#pragma once

// numpy.random.RandomState, frozen by NumPy: what numpy.random.seed, rand, randn, ... use.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/core/dtype.h"
#include "runtime/core/interrupt.h"
#include "runtime/random/bounded_integers.h"
#include "runtime/random/choice.h"
#include "runtime/random/integer_range.h"
#include "runtime/random/mt19937.h"

namespace gpy::rt {

class RandomState {
 public:
  // Seeded by the operating system.
  RandomState() : bits_(SeedSequence::from_system()) {}
  explicit RandomState(const Mt19937& bits) : bits_(bits) {}

  // numpy.random.seed(n) is seed(Mt19937(n)).
  void seed(const Mt19937& bits) { *this = RandomState(bits); }

  void random_sample(std::span<double> out);
  void uniform(double low, double high, std::span<double> out);
  void standard_normal(std::span<double> out);
  void normal(double loc, double scale, std::span<double> out);
  void standard_exponential(std::span<double> out);
  void exponential(double scale, std::span<double> out);
  void randint(DType dtype, Int128 low, Int128 high, void* out, int64_t count);
  // A range for each element, or one for all.
  void randint(DType dtype, std::span<const IntegerRange> ranges, void* out, int64_t count);

  // Calls swap(i, j) for each exchange of a shuffle of n items.
  template <class Swap> void shuffle(int64_t n, const Swap& swap) {
    BoundedIntegers<Mt19937, Bounding::kMasked> draws(bits_);
    for_each_polled(n - 1, [&](int64_t done) {
      const int64_t i = n - 1 - done;
      const auto j = static_cast<int64_t>(draws.draw<uint64_t>(i));
      if (i != j) swap(i, j);
    });
  }
  std::vector<int64_t> permutation(int64_t n);
  std::vector<int64_t> choice(const ChoiceRequest& request);

  Mt19937& bits() { return bits_; }

 private:
  double next_normal();
  std::vector<int64_t> choose_with_replacement(const ChoiceRequest& request);

  Mt19937 bits_;
  std::optional<double> spare_normal_;
};

}  // namespace gpy::rt
