#pragma once
// The ufuncs of longdouble and clongdouble by name, and how their numbers lie in rows of uint64.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include "runtime/graph/read_access.h"
#include "src/array/convert.h"

namespace gpy::lib {

using LongDouble = long double;
using LongComplex = std::complex<long double>;

static_assert(std::numeric_limits<LongDouble>::digits == 64 && sizeof(LongDouble) == 16);

// Words of uint64 that a number has.
template <class T> inline constexpr int64_t kWords = sizeof(T) / sizeof(uint64_t);

// Numbers that lie anywhere; the bytes behind a number's ten are stored as 0.
template <class T> T load_long(const std::byte* from) {
  T value;
  std::memcpy(static_cast<void*>(&value), from, sizeof(T));
  return value;
}
inline void store_long(std::byte* to, LongDouble value) {
  constexpr size_t kUsed = 10;
  std::memset(to, 0, sizeof(LongDouble));
  std::memcpy(to, &value, kUsed);
}
inline void store_long(std::byte* to, const LongComplex& value) {
  store_long(to, value.real());
  store_long(to + sizeof(LongDouble), value.imag());
}

// Rows of so many uint64 as they are, or side by side; TypeError.
rt::Array dense_rows(Interpreter& vm, const rt::Array& rows, int64_t words);

// Rows of an array as numbers; TypeError for other rows.
template <class T> class LongValues {
 public:
  LongValues(Interpreter& vm, const rt::Array& rows)
      : dense_(dense_rows(vm, rows, kWords<T>)),
        read_(session(vm), dense_),
        size_(static_cast<size_t>(dense_.shape()[0])) {}

  size_t size() const { return size_; }
  const std::byte* at(size_t i) const { return read_.data() + i * sizeof(T); }
  T operator[](size_t i) const { return load_long<T>(at(i)); }

 private:
  rt::Array dense_;
  rt::HostRead read_;
  size_t size_;
};

template <class T> struct LongMap {
  std::string_view name;
  int arity;
  T (*run)(T, T);
  bool is_quiet = false;  // its floating-point events mean nothing
};
template <class T> struct LongTest {
  std::string_view name;
  bool (*run)(T, T);
};
template <class T> std::span<const LongMap<T>> long_maps();
template <class T> std::span<const LongTest<T>> long_tests();
template <> std::span<const LongMap<LongDouble>> long_maps();
template <> std::span<const LongTest<LongDouble>> long_tests();
template <> std::span<const LongMap<LongComplex>> long_maps();
template <> std::span<const LongTest<LongComplex>> long_tests();

template <class Row> const Row* find_long(std::span<const Row> rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

// By real parts, then by imaginary ones; a NaN is in no order.
bool is_less(LongComplex a, LongComplex b);
inline bool is_less(LongDouble a, LongDouble b) { return a < b; }

inline bool is_nan(LongDouble x) { return std::isnan(x); }
inline bool is_nan(LongComplex z) { return std::isnan(z.real()) || std::isnan(z.imag()); }

// Python's quotient and rest: the rest has the divisor's sign.
struct LongDivision {
  LongDouble quotient, rest;
};
LongDivision divide_whole(LongDouble a, LongDouble b);

inline LongDouble long_product(LongDouble a, LongDouble b) { return a * b; }
LongComplex long_product(LongComplex a, LongComplex b);

}  // namespace gpy::lib
