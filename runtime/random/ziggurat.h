#pragma once

// Normal and exponential draws by the ziggurat, as numpy.random.Generator makes them.

#include <cmath>
#include <cstdint>

#include "runtime/random/ziggurat_tables.h"

namespace gpy::rt {

// The differences between draws of double and of float.
template <class Real> struct ZigguratOf;

template <> struct ZigguratOf<double> {
  using Integer = uint64_t;
  static constexpr int kFractionBits = 52;
  static const auto& normal() { return kNormalTable; }
  static const auto& exponential() { return kExponentialTable; }
  template <class Bits> static uint64_t integer(Bits& bits) { return bits.next64(); }
  template <class Bits> static double uniform(Bits& bits) { return bits.next_double(); }
  template <class Bits> static uint64_t exponential_integer(Bits& bits) {
    return bits.next64() >> 3;
  }
};

template <> struct ZigguratOf<float> {
  using Integer = uint32_t;
  static constexpr int kFractionBits = 23;
  static const auto& normal() { return kNormalTableFloat; }
  static const auto& exponential() { return kExponentialTableFloat; }
  template <class Bits> static uint32_t integer(Bits& bits) { return bits.next32(); }
  template <class Bits> static float uniform(Bits& bits) { return bits.next_float(); }
  template <class Bits> static uint32_t exponential_integer(Bits& bits) {
    return bits.next32() >> 1;
  }
};

// A uniform height between those of a layer's edge and the next one's.
template <class Real, class Table, class Bits>
Real height_in_layer(const Table& table, int layer, Bits& bits) {
  const Real low = table.height[layer];
  return (table.height[layer - 1] - low) * ZigguratOf<Real>::uniform(bits) + low;
}

template <class Real, class Bits> Real normal_tail(bool negative, Bits& bits) {
  using Of = ZigguratOf<Real>;
  const Real edge = static_cast<Real>(kNormalEdge);
  while (true) {
    const Real x = -static_cast<Real>(kNormalInverseEdge) * std::log1p(-Of::uniform(bits));
    const Real y = -std::log1p(-Of::uniform(bits));
    if (y + y > x * x) return negative ? -(edge + x) : edge + x;
  }
}

template <class Real, class Bits> Real ziggurat_normal(Bits& bits) {
  using Of = ZigguratOf<Real>;
  const auto& table = Of::normal();
  while (true) {
    const typename Of::Integer draw = Of::integer(bits);
    const int layer = draw & 0xff;
    const typename Of::Integer size =
        draw >> 9 & ((typename Of::Integer{1} << Of::kFractionBits) - 1);
    // A table instead of a branch, which could not be predicted.
    constexpr Real kSigns[] = {1, -1};
    const Real x = size * table.width[layer] * kSigns[draw >> 8 & 1];
    if (size < table.inside[layer]) return x;
    if (layer == 0) return normal_tail<Real>(size >> 8 & 1, bits);
    if (height_in_layer<Real>(table, layer, bits) < std::exp(-0.5 * x * x)) return x;
  }
}

template <class Real, class Bits> Real ziggurat_exponential(Bits& bits) {
  using Of = ZigguratOf<Real>;
  const auto& table = Of::exponential();
  while (true) {
    const typename Of::Integer draw = Of::exponential_integer(bits);
    const int layer = draw & 0xff;
    const typename Of::Integer size = draw >> 8;
    const Real x = size * table.width[layer];
    if (size < table.inside[layer]) return x;
    if (layer == 0) return static_cast<Real>(kExponentialEdge) - std::log1p(-Of::uniform(bits));
    if (height_in_layer<Real>(table, layer, bits) < std::exp(-x)) return x;
  }
}

}  // namespace gpy::rt
