#pragma once

// The bit generators of numpy.random: an engine with the loops that draw from it.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/random/bit_generator.h"
#include "runtime/random/mt19937.h"
#include "runtime/random/pcg64.h"
#include "runtime/random/philox4x64.h"
#include "runtime/random/sfc64.h"

namespace gpy::rt {

template <class Engine> class Generator final : public BitGenerator {
 public:
  explicit Generator(const Engine& engine = Engine()) : engine_(engine) {}

  int seed_words() const override { return Engine::kSeedWords; }
  void seed(std::span<const uint64_t> words) override { engine_ = Engine(words); }
  std::vector<uint64_t> state() const override;
  void restore(std::span<const uint64_t> state) override { engine_.restore(state); }

  uint64_t next64() override { return engine_.next64(); }
  uint32_t next32() override { return engine_.next32(); }
  double next_double() override { return engine_.next_double(); }
  uint64_t next_raw() override { return engine_.next_raw(); }
  void raw(std::span<uint64_t> out) override;

  void random(std::span<double> out) override;
  void random(std::span<float> out) override;
  void standard_normal(std::span<double> out) override;
  void standard_normal(std::span<float> out) override;
  void standard_exponential(std::span<double> out) override;
  void standard_exponential(std::span<float> out) override;
  void standard_exponential_inverse(std::span<double> out) override;
  void standard_exponential_inverse(std::span<float> out) override;
  void standard_gamma(std::span<const float> shapes, std::span<float> out) override;
  void draw(Distribution distribution, const Parameters& parameters, void* out,
            int64_t count) override;

  void frozen_normal(SpareNormal& spare, std::span<double> out) override;
  void frozen_exponential(std::span<double> out) override;
  void frozen_draw(SpareNormal& spare, Distribution distribution, const Parameters& parameters,
                   void* out, int64_t count) override;

  void integers(DType dtype, std::span<const IntegerRange> ranges, Bounding bounding, void* out,
                int64_t count) override;
  uint64_t interval(uint64_t last) override;
  void shuffle(int64_t n, const std::function<void(int64_t, int64_t)>& swap) override;
  std::vector<int64_t> permutation(int64_t n) override;
  std::vector<int64_t> choice(const ChoiceRequest& request, RandomApi api) override;

  Engine& engine() { return engine_; }

 private:
  template <class Swap> void exchange(int64_t n, const Swap& swap);
  std::vector<int64_t> choose_with_replacement(const ChoiceRequest& request, RandomApi api);
  std::vector<int64_t> choose_tail(const ChoiceRequest& request);
  std::vector<int64_t> choose_by_set(const ChoiceRequest& request);

  Engine engine_;
};

using DefaultGenerator = Generator<Pcg64>;

extern template class Generator<Pcg64>;
extern template class Generator<Pcg64Dxsm>;
extern template class Generator<Philox4x64>;
extern template class Generator<Mt19937>;
extern template class Generator<Sfc64>;

// By NumPy's name: "PCG64", "PCG64DXSM", "Philox", "MT19937", "SFC64". Null for any other.
std::unique_ptr<BitGenerator> make_bit_generator(std::string_view name);

}  // namespace gpy::rt
