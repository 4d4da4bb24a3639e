#pragma once

// The tables of Marsaglia and Tsang's ziggurat with 256 layers, bit for bit NumPy's.
// Layer i is width[i] wide in units of the integer drawn; a draw below inside[i] is accepted at
// once; height[i] is the density at its edge.

#include <cstdint>

namespace gpy::rt {

template <class Integer, class Real> struct ZigguratTable {
  Integer inside[256];
  Real width[256];
  Real height[256];
};

extern const ZigguratTable<uint64_t, double> kNormalTable;           // 52-bit draws
extern const ZigguratTable<uint32_t, float> kNormalTableFloat;       // 23-bit draws
extern const ZigguratTable<uint64_t, double> kExponentialTable;      // 53-bit draws
extern const ZigguratTable<uint32_t, float> kExponentialTableFloat;  // 23-bit draws

// The start of the tail.
inline constexpr double kNormalEdge = 3.6541528853610087963519472518;
inline constexpr double kNormalInverseEdge = 0.27366123732975827203338247596;
inline constexpr double kExponentialEdge = 7.6971174701310497140446280481;

}  // namespace gpy::rt
