#pragma once

// Keys: signed integers in the order of the elements that they stand for. Internal linkage
// throughout, since loops of each instruction set use it.

#include <bit>
#include <cstdint>
#include <type_traits>

namespace gpy::rt {

// A 16-bit float as its bits; `infinity` tells the format.
template <int16_t infinity> struct NarrowBits { uint16_t bits; };
using HalfBits = NarrowBits<0x7c00>;
using BFloatBits = NarrowBits<0x7f80>;

template <class T> constexpr bool kIsNarrow = false;
template <int16_t infinity> inline constexpr bool kIsNarrow<NarrowBits<infinity>> = true;

// A bool, whose byte may be any number: all but 0 are true.
struct Truth {
  uint8_t byte;
};

namespace {

template <class T> using KeyOf = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

template <class T> constexpr bool kHasNan = std::is_floating_point_v<T>;
template <int16_t infinity> inline constexpr bool kHasNan<NarrowBits<infinity>> = true;

// The key of every NaN.
template <class T>
constexpr KeyOf<T> kNanKey = static_cast<KeyOf<T>>((uint64_t{1} << (8 * sizeof(T) - 1)) - 1);

// Converts signed numbers of sign and magnitude to two's complement, and back.
template <class Bits> constexpr Bits turned(Bits bits) {
  constexpr int kSign = 8 * sizeof(Bits) - 1;
  constexpr Bits kMagnitude = static_cast<Bits>((uint64_t{1} << kSign) - 1);
  return static_cast<Bits>(bits ^ ((bits >> kSign) & kMagnitude));
}

// Floats are read as integers, which vector loops compare without raising events.
template <class T> using BitsOf = std::conditional_t<sizeof(T) == 2, int16_t, KeyOf<T>>;
template <class T> constexpr BitsOf<T> magnitude_of(T x) {
  constexpr auto kMagnitude = static_cast<BitsOf<T>>((uint64_t{1} << (8 * sizeof(T) - 1)) - 1);
  return static_cast<BitsOf<T>>(std::bit_cast<BitsOf<T>>(x) & kMagnitude);
}
template <class T>
constexpr BitsOf<T> kInfinity = sizeof(T) == 8 ? BitsOf<T>(0x7ff0000000000000)
                                               : BitsOf<T>(0x7f800000);
template <int16_t infinity> constexpr int16_t kInfinity<NarrowBits<infinity>> = infinity;

template <class T> constexpr bool is_nan(T x) { return magnitude_of(x) > kInfinity<T>; }
template <class T> constexpr bool is_zero(T x) { return magnitude_of(x) == 0; }

// The key of -0.0 is one less than that of 0.0.
template <class T> constexpr KeyOf<T> key_of(T x) {
  if constexpr (std::is_same_v<T, Truth>) {
    return x.byte != 0;
  } else if constexpr (kHasNan<T>) {
    return is_nan(x) ? kNanKey<T> : KeyOf<T>{turned(std::bit_cast<BitsOf<T>>(x))};
  } else if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4) {
    return static_cast<KeyOf<T>>(x ^ T{1} << (8 * sizeof(T) - 1));
  } else {
    return x;
  }
}

template <class T> constexpr T element_of(KeyOf<T> key) {
  if constexpr (std::is_same_v<T, Truth>) {
    return {static_cast<uint8_t>(key)};
  } else if constexpr (kHasNan<T>) {
    return std::bit_cast<T>(turned(static_cast<BitsOf<T>>(key)));
  } else if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4) {
    return static_cast<T>(key) ^ T { 1 } << (8 * sizeof(T) - 1);
  } else {
    return static_cast<T>(key);
  }
}

// A key that is the same for both zeros.
template <class T> constexpr int64_t order_key(T x) {
  if constexpr (kHasNan<T>) return is_zero(x) ? 0 : key_of(x);
  else return key_of(x);
}

}  // namespace
}  // namespace gpy::rt
