#pragma once

// numpy.random.Generator with NumPy's own bits: the same numbers for the same seed. Draws of one
// array are in C order; where arguments are arrays, NumPy draws element by element, which the
// standard draws here give as well: loc + scale * standard_normal().

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/core/dtype.h"
#include "runtime/core/interrupt.h"
#include "runtime/random/bounded_integers.h"
#include "runtime/random/choice.h"
#include "runtime/random/integer_range.h"
#include "runtime/random/mt19937.h"
#include "runtime/random/pcg64.h"

namespace gpy::rt {

template <class Bits> class Generator {
 public:
  explicit Generator(const Bits& bits) : bits_(bits) {}

  void random(std::span<double> out);
  void random(std::span<float> out);
  void uniform(double low, double high, std::span<double> out);
  void standard_normal(std::span<double> out);
  void standard_normal(std::span<float> out);
  void normal(double loc, double scale, std::span<double> out);
  void standard_exponential(std::span<double> out);
  void standard_exponential(std::span<float> out);
  // method="inv"
  void standard_exponential_inverse(std::span<double> out);
  void standard_exponential_inverse(std::span<float> out);
  void exponential(double scale, std::span<double> out);

  // `count` integers of the type into `out`, contiguous.
  void integers(DType dtype, Int128 low, Int128 high, bool endpoint, void* out, int64_t count);
  // A range for each element, from low and high arrays after broadcasting, or one for all.
  void integers(DType dtype, std::span<const IntegerRange> ranges, void* out, int64_t count);

  // Calls swap(i, j) for each exchange of a shuffle of n items.
  template <class Swap> void shuffle(int64_t n, const Swap& swap) {
    BoundedIntegers<Bits, Bounding::kMasked> draws(bits_);
    for_each_polled(n - 1, [&](int64_t done) {
      const int64_t i = n - 1 - done;
      const auto j = static_cast<int64_t>(draws.template draw<uint64_t>(i));
      if (i != j) swap(i, j);
    });
  }
  // A shuffled 0 .. n-1; permuting an array's rows by it is what permutation(array) does.
  std::vector<int64_t> permutation(int64_t n);
  // Indices into the population.
  std::vector<int64_t> choice(const ChoiceRequest& request);

  Bits& bits() { return bits_; }

 private:
  std::vector<int64_t> choose_with_replacement(const ChoiceRequest& request);
  std::vector<int64_t> choose_tail(const ChoiceRequest& request);
  std::vector<int64_t> choose_by_set(const ChoiceRequest& request);

  Bits bits_;
};

using DefaultGenerator = Generator<Pcg64>;

extern template class Generator<Pcg64>;
extern template class Generator<Mt19937>;

}  // namespace gpy::rt
