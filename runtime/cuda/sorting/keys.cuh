#pragma once

// Keys: unsigned integers in NumPy's order of the elements that they stand for, equal where those
// count as equal. All NaNs have one key, the greatest, and both zeros have one.

#include <cstdint>
#include <type_traits>

#include "runtime/core/dtype.h"

namespace gpy::rt::cuda {

// Elements as the bits that they are on the device.
struct TruthByte {
  uint8_t byte;  // all but 0 are true
};
template <uint16_t infinity> struct NarrowBits { uint16_t bits; };
using HalfBits = NarrowBits<0x7c00>;
using BFloatBits = NarrowBits<0x7f80>;
template <class F> struct ComplexParts { F real, imag; };

template <class T> constexpr bool kIsComplex = false;
template <class F> constexpr bool kIsComplex<ComplexParts<F>> = true;

template <class T> constexpr bool kIsNarrow = false;
template <uint16_t infinity> constexpr bool kIsNarrow<NarrowBits<infinity>> = true;

template <class T> constexpr bool kIsFloat = std::is_floating_point_v<T> || kIsNarrow<T>;

template <int kSize> struct UnsignedOf;
template <> struct UnsignedOf<1> { using type = uint8_t; };
template <> struct UnsignedOf<2> { using type = uint16_t; };
template <> struct UnsignedOf<4> { using type = uint32_t; };
template <> struct UnsignedOf<8> { using type = uint64_t; };
template <class T> using KeyOf = typename UnsignedOf<sizeof(T)>::type;

template <class Key> constexpr Key kSignBit = static_cast<Key>(Key{1} << (8 * sizeof(Key) - 1));
template <class Key> constexpr Key kNanKey = static_cast<Key>(~Key{0});
template <class T>
constexpr KeyOf<T> kInfinityBits = sizeof(T) == 8 ? KeyOf<T>(0x7ff0000000000000)
                                                  : KeyOf<T>(0x7f800000);
template <uint16_t infinity> constexpr uint16_t kInfinityBits<NarrowBits<infinity>> = infinity;

// The NaN whose fraction is one half.
template <class T> constexpr KeyOf<T> kQuietNan = kInfinityBits<T> | kInfinityBits<T> >> 1;

template <class T> __device__ KeyOf<T> bits_of(T x) {
  if constexpr (std::is_same_v<T, double>) return __double_as_longlong(x);
  else if constexpr (std::is_same_v<T, float>) return __float_as_uint(x);
  else if constexpr (kIsNarrow<T>) return x.bits;
  else return static_cast<KeyOf<T>>(x);
}

template <class T> __device__ KeyOf<T> key_of(T x) {
  using Key = KeyOf<T>;
  constexpr Key kSign = kSignBit<Key>;
  if constexpr (std::is_same_v<T, TruthByte>) {
    return x.byte != 0;
  } else if constexpr (kIsFloat<T>) {
    const Key bits = bits_of(x), magnitude = bits & static_cast<Key>(~kSign);
    if (magnitude > kInfinityBits<T>) return kNanKey<Key>;
    if (magnitude == 0) return kSign;
    return bits & kSign ? static_cast<Key>(~bits) : static_cast<Key>(bits | kSign);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<Key>(static_cast<Key>(x) ^ kSign);
  } else {
    return x;
  }
}

// The element of a real key: 0.0 for both zeros, the quiet NaN for all NaNs.
template <class T> __device__ T element_of(KeyOf<T> key) {
  using Key = KeyOf<T>;
  constexpr Key kSign = kSignBit<Key>;
  if constexpr (std::is_same_v<T, TruthByte>) {
    return {key};
  } else if constexpr (kIsFloat<T>) {
    Key bits = static_cast<Key>(key & kSign ? key & ~kSign : ~key);
    if (key == kNanKey<Key>) bits = kQuietNan<T>;
    if constexpr (std::is_same_v<T, double>) return __longlong_as_double(bits);
    else if constexpr (std::is_same_v<T, float>) return __uint_as_float(bits);
    else return {bits};
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(key ^ kSign);
  } else {
    return key;
  }
}

// A complex number's key is a pair. Behind all numbers come (x, nan), (nan, x), (nan, nan).
template <class Key> struct PairKey { Key first, second; };
template <class Key> __device__ bool operator<(PairKey<Key> a, PairKey<Key> b) {
  return a.first < b.first || (a.first == b.first && a.second < b.second);
}
template <class Key> __device__ bool operator==(PairKey<Key> a, PairKey<Key> b) {
  return a.first == b.first && a.second == b.second;
}

template <class F> __device__ PairKey<KeyOf<F>> key_of(ComplexParts<F> z) {
  using Key = KeyOf<F>;
  constexpr Key kNan = kNanKey<Key>;
  const Key real = key_of(z.real), imag = key_of(z.imag);
  if (real != kNan && imag != kNan) return {real, imag};
  if (real != kNan) return {kNan - 2, real};
  if (imag != kNan) return {kNan - 1, imag};
  return {kNan, 0};
}

template <class T> __device__ bool has_nan(T x) {
  if constexpr (kIsComplex<T>) return key_of(x).first >= kNanKey<KeyOf<decltype(x.real)>> - 2;
  else if constexpr (kIsFloat<T>) return key_of(x) == kNanKey<KeyOf<T>>;
  else return false;
}

// Calls f with an element of the dtype's type.
template <class F> void with_element_type(DType dtype, F&& f) {
  switch (dtype.code()) {
    case TypeCode::kBool: return f(TruthByte());
    case TypeCode::kInt8: return f(int8_t());
    case TypeCode::kUInt8: return f(uint8_t());
    case TypeCode::kInt16: return f(int16_t());
    case TypeCode::kUInt16: return f(uint16_t());
    case TypeCode::kInt32: return f(int32_t());
    case TypeCode::kUInt32: return f(uint32_t());
    case TypeCode::kInt64: return f(int64_t());
    case TypeCode::kUInt64: return f(uint64_t());
    case TypeCode::kFloat16: return f(HalfBits());
    case TypeCode::kFloat32: return f(float());
    case TypeCode::kFloat64: return f(double());
    case TypeCode::kComplex64: return f(ComplexParts<float>());
    case TypeCode::kComplex128: return f(ComplexParts<double>());
    case TypeCode::kBFloat16: return f(BFloatBits());
  }
}

}  // namespace gpy::rt::cuda
