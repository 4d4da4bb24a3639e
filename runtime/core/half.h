#pragma once

// float16 and bfloat16 as their bits, converted without hardware support: round to nearest, ties to
// even. float16's NaNs keep the payload bits that fit, bfloat16's are quiet.

#include <bit>
#include <cstdint>

namespace gpy::rt {

// The float16 of the bits of a wider IEEE format, with kFraction fraction bits and bias kBias.
template <class Bits, int kFraction, int kBias> constexpr uint16_t half_from_bits(Bits bits) {
  constexpr Bits kFractionMask = (Bits{1} << kFraction) - 1;
  constexpr int kDrop = kFraction - 10;
  const auto sign = static_cast<uint16_t>(bits >> (sizeof(Bits) * 8 - 16) & 0x8000);
  const int biased = static_cast<int>(bits >> kFraction & (2 * kBias + 1));
  const Bits fraction = bits & kFractionMask;
  if (biased == 2 * kBias + 1) {
    auto payload = static_cast<uint16_t>(fraction >> kDrop);
    if (fraction != 0 && payload == 0) payload = 1;
    return static_cast<uint16_t>(sign | 0x7c00 | payload);
  }
  const int exponent = biased - kBias;
  if (exponent > 15) return static_cast<uint16_t>(sign | 0x7c00);
  if (exponent < -25) return sign;
  // Subnormal results shift the leading one in as well; a carry out of the fraction lands in the
  // exponent, where it belongs.
  const bool normal = exponent >= -14;
  const int drop = normal ? kDrop : kDrop - 14 - exponent;
  const Bits whole = normal ? fraction : fraction | (kFractionMask + 1);
  const Bits kept = whole >> drop;
  const Bits rest = whole & ((Bits{1} << drop) - 1);
  const Bits tie = Bits{1} << (drop - 1);
  const Bits rounded = kept + (rest > tie || (rest == tie && (kept & 1)) ? 1 : 0);
  const int base = normal ? (exponent + 15) << 10 : 0;
  return static_cast<uint16_t>(sign | (base + static_cast<int>(rounded)));
}

constexpr uint16_t half_from_float(float value) {
  return half_from_bits<uint32_t, 23, 127>(std::bit_cast<uint32_t>(value));
}

constexpr uint16_t half_from_double(double value) {
  return half_from_bits<uint64_t, 52, 1023>(std::bit_cast<uint64_t>(value));
}

constexpr float float_from_half(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t exponent = half >> 10 & 31;
  const uint32_t fraction = half & 0x3ff;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

constexpr uint16_t bfloat_from_float(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (value != value) return static_cast<uint16_t>((bits >> 16 & 0x8000) | 0x7fc0);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

constexpr float float_from_bfloat(uint16_t bfloat) {
  return std::bit_cast<float>(static_cast<uint32_t>(bfloat) << 16);
}

}  // namespace gpy::rt
