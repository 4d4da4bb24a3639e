#pragma once

// The types that elements of each dtype are sorted as, and how two of them compare.

#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "runtime/core/dtype.h"
#include "runtime/cpu/sorting/keys.h"

namespace gpy::rt {

template <class T> constexpr bool kIsComplex = false;
template <class F> inline constexpr bool kIsComplex<std::complex<F>> = true;

template <class T> constexpr bool kIsInteger = std::is_integral_v<T> || std::is_same_v<T, Truth>;

// Calls f with an element of the dtype's type.
template <class F> void with_element_type(DType dtype, F&& f) {
  switch (dtype.code()) {
    case TypeCode::kBool: return f(Truth());
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
    case TypeCode::kComplex64: return f(std::complex<float>());
    case TypeCode::kComplex128: return f(std::complex<double>());
    case TypeCode::kBFloat16: return f(BFloatBits());
  }
}

// Numbers with a NaN part come last: (x, nan), (nan, x), (nan, nan).
template <class F> bool complex_before(const std::complex<F>& a, const std::complex<F>& b) {
  const int nan_a = 2 * std::isnan(a.real()) + std::isnan(a.imag());
  const int nan_b = 2 * std::isnan(b.real()) + std::isnan(b.imag());
  if (nan_a != nan_b) return nan_a < nan_b;
  if (!(nan_a & 2) && a.real() != b.real()) return a.real() < b.real();
  return !(nan_a & 1) && a.imag() < b.imag();
}

// NumPy's order, in which NaN is after everything.
template <class T> bool comes_before(const T& a, const T& b) {
  if constexpr (kIsComplex<T>) return complex_before(a, b);
  else return order_key(a) < order_key(b);
}

template <class T> struct ComesBefore {
  bool operator()(const T& a, const T& b) const { return comes_before(a, b); }
};

}  // namespace gpy::rt
