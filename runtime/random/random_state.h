#pragma once

// numpy.random.RandomState, frozen by NumPy: what numpy.random.seed, rand, randn, ... use.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "runtime/random/bit_generator.h"
#include "runtime/random/mt19937.h"

namespace gpy::rt {

class RandomState {
 public:
  // Seeded by the operating system.
  RandomState();
  explicit RandomState(const Mt19937& bits);
  explicit RandomState(std::shared_ptr<BitGenerator> bits) : bits_(std::move(bits)) {}

  void standard_normal(std::span<double> out) { bits_->frozen_normal(spare_, out); }
  void draw(Distribution distribution, const Parameters& parameters, void* out, int64_t count) {
    bits_->frozen_draw(spare_, distribution, parameters, out, count);
  }

  BitGenerator& bits() { return *bits_; }
  const std::shared_ptr<BitGenerator>& shared() const { return bits_; }
  SpareNormal& spare() { return spare_; }

 private:
  std::shared_ptr<BitGenerator> bits_;
  SpareNormal spare_;
};

}  // namespace gpy::rt
