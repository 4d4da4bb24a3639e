#include "runtime/cpu/algorithms/order.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/core/interrupt.h"
#include "runtime/core/scalar.h"

namespace gpy::rt {

namespace {

// float16 as its bits: ordered by a key that rises with the number.
struct HalfBits {
  uint16_t bits;
  int key() const {
    if ((bits & 0x7fff) > 0x7c00) return 0x20000;
    const int magnitude = bits & 0x7fff;
    return bits & 0x8000 ? -magnitude : magnitude;
  }
};

template <class T> bool before(const T& a, const T& b) { return a < b; }
template <class F> bool float_before(F a, F b) {
  return a < b || (std::isnan(b) && !std::isnan(a));
}
bool before(const float& a, const float& b) { return float_before(a, b); }
bool before(const double& a, const double& b) { return float_before(a, b); }
bool before(const HalfBits& a, const HalfBits& b) { return a.key() < b.key(); }

// Numbers with a NaN part come last: (x, nan), (nan, x), (nan, nan).
template <class F> bool before(const std::complex<F>& a, const std::complex<F>& b) {
  const int nan_a = 2 * std::isnan(a.real()) + std::isnan(a.imag());
  const int nan_b = 2 * std::isnan(b.real()) + std::isnan(b.imag());
  if (nan_a != nan_b) return nan_a < nan_b;
  if (!(nan_a & 2) && a.real() != b.real()) return a.real() < b.real();
  return !(nan_a & 1) && a.imag() < b.imag();
}

template <class T> struct Before {
  bool operator()(const T& a, const T& b) const { return before(a, b); }
};

template <class F> void with_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kBool: return f(uint8_t());
    case DType::kInt8: return f(int8_t());
    case DType::kUInt8: return f(uint8_t());
    case DType::kInt16: return f(int16_t());
    case DType::kUInt16: return f(uint16_t());
    case DType::kInt32: return f(int32_t());
    case DType::kUInt32: return f(uint32_t());
    case DType::kInt64: return f(int64_t());
    case DType::kUInt64: return f(uint64_t());
    case DType::kFloat16: return f(HalfBits());
    case DType::kFloat32: return f(float());
    case DType::kFloat64: return f(double());
    case DType::kComplex64: return f(std::complex<float>());
    case DType::kComplex128: return f(std::complex<double>());
  }
}

// Least significant byte first: linear and stable. `key` maps to an unsigned of the same order.
template <class U, class Item, class Key>
void radix_sort(Item* items, Item* spare, int64_t count, Key key) {
  constexpr int kBytes = sizeof(U);
  std::vector<int64_t> counts(kBytes * 256, 0);
  for (int64_t i = 0; i < count; ++i) {
    const U k = key(items[i]);
    for (int byte = 0; byte < kBytes; ++byte) ++counts[byte * 256 + ((k >> (8 * byte)) & 255)];
  }
  for (int byte = 0; byte < kBytes; ++byte) {
    poll_interrupt();
    int64_t* own = &counts[byte * 256];
    if (*std::max_element(own, own + 256) == count) continue;  // all alike here
    int64_t start = 0;
    for (int digit = 0; digit < 256; ++digit) start += std::exchange(own[digit], start);
    for (int64_t i = 0; i < count; ++i)
      spare[own[(key(items[i]) >> (8 * byte)) & 255]++] = items[i];
    std::copy(spare, spare + count, items);
  }
}

template <class T> constexpr bool radix_sortable() { return std::is_integral_v<T>; }

template <class T> auto unsigned_key(T value) {
  using U = std::make_unsigned_t<T>;
  return static_cast<U>(static_cast<U>(value) ^
                        (std::is_signed_v<T> ? U(1) << (8 * sizeof(T) - 1) : U(0)));
}

constexpr int64_t kRadixFrom = 256;  // below, comparing is faster
constexpr int64_t kPiece = 1 << 17;

template <class T, class Less>
void merge(const T* a, const T* a_end, const T* b, const T* b_end, T* to, Less less) {
  while (a != a_end && b != b_end) {
    poll_interrupt();
    for (int64_t steps = std::min({a_end - a, b_end - b, kPiece}); steps > 0; --steps) {
      const bool second = less(*b, *a);
      *to++ = second ? *b : *a;
      b += second;
      a += !second;
    }
  }
  std::copy(b, b_end, std::copy(a, a_end, to));
}

// Sorts pieces that fit a cache by `sort`, then merges them. An interrupt, which waits for one
// piece at most, leaves the row in disorder.
template <class T, class Less, class Sort>
void sort_in_pieces(T* row, int64_t length, Less less, Sort sort) {
  for (int64_t at = 0; at < length; at += kPiece) {
    poll_interrupt();
    sort(row + at, row + std::min(length, at + kPiece), less);
  }
  if (length <= kPiece) return;
  const auto spare = std::make_unique_for_overwrite<T[]>(length);
  T *from = row, *to = spare.get();
  for (int64_t width = kPiece; width < length; width *= 2) {
    for (int64_t at = 0; at < length; at += 2 * width) {
      const T* middle = from + std::min(length, at + width);
      merge<T>(from + at, middle, middle, from + std::min(length, at + 2 * width), to + at, less);
    }
    std::swap(from, to);
  }
  if (from != row) std::copy(from, from + length, row);
}

constexpr auto kQuickly = [](auto* begin, auto* end, auto less) { std::sort(begin, end, less); };
constexpr auto kStably = [](auto* begin, auto* end, auto less) {
  std::stable_sort(begin, end, less);
};

template <class T> void sort_row(T* row, int64_t length) {
  if constexpr (radix_sortable<T>()) {
    if (length >= kRadixFrom && sizeof(T) <= 4) {
      std::vector<T> spare(length);
      return radix_sort<std::make_unsigned_t<T>>(row, spare.data(), length,
                                                 [](T value) { return unsigned_key(value); });
    }
    sort_in_pieces(row, length, std::less<T>(), kQuickly);
  } else if constexpr (std::is_floating_point_v<T>) {
    // -0 and 0 are equal but differ: a stable sort keeps their order as NumPy's does not promise.
    T* end = std::partition(row, row + length, [](T value) { return !std::isnan(value); });
    sort_in_pieces(row, end - row, std::less<T>(), kQuickly);
  } else {
    sort_in_pieces(row, length, Before<T>(), kStably);
  }
}

}  // namespace

void sort_rows(DType dtype, void* data, int64_t rows, int64_t length) {
  with_type(dtype, [&](auto zero) {
    using T = decltype(zero);
    for (int64_t row = 0; row < rows; ++row) sort_row(static_cast<T*>(data) + row * length, length);
  });
}

void argsort_rows(DType dtype, const void* data, int64_t* order, int64_t rows, int64_t length) {
  with_type(dtype, [&](auto zero) {
    using T = decltype(zero);
    for (int64_t row = 0; row < rows; ++row) {
      const T* values = static_cast<const T*>(data) + row * length;
      int64_t* out = order + row * length;
      std::iota(out, out + length, 0);
      if constexpr (radix_sortable<T>()) {
        if (length >= kRadixFrom && sizeof(T) <= 4) {
          std::vector<int64_t> spare(length);
          radix_sort<std::make_unsigned_t<T>>(
              out, spare.data(), length, [values](int64_t i) { return unsigned_key(values[i]); });
          continue;
        }
      }
      sort_in_pieces(
          out, length, [values](int64_t a, int64_t b) { return before(values[a], values[b]); },
          kStably);
    }
  });
}

void search_sorted(DType dtype, const void* sorted, int64_t length, const void* values,
                   int64_t count, bool right, int64_t* positions) {
  with_type(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* begin = static_cast<const T*>(sorted);
    const T* wanted = static_cast<const T*>(values);
    for_each_polled(count, [&](int64_t i) {
      const T* at = right ? std::upper_bound(begin, begin + length, wanted[i], Before<T>())
                          : std::lower_bound(begin, begin + length, wanted[i], Before<T>());
      positions[i] = at - begin;
    });
  });
}

bool equal_elements(DType dtype, const void* a, const void* b) {
  if (dtype == DType::kBool) {
    return Scalar::load(dtype, a).truth() == Scalar::load(dtype, b).truth();
  }
  bool equal = false;
  with_type(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T& x = *static_cast<const T*>(a);
    const T& y = *static_cast<const T*>(b);
    equal = !before(x, y) && !before(y, x);
  });
  return equal;
}

}  // namespace gpy::rt
