#pragma once

// Where the best number of a row is, or of each column: argmax and argmin. Each lane of a vector
// keeps its best number and the step at which it came, counted in integers as wide as the numbers.
// The first NaN is the best; of equal numbers it is the first.

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#include "runtime/core/native_vector.h"
#include "runtime/ops/loops/tile.h"

namespace gpy::rt {
namespace {

template <size_t bytes> struct UnsignedType;
template <> struct UnsignedType<1> { using Type = u8; };
template <> struct UnsignedType<2> { using Type = u16; };
template <> struct UnsignedType<4> { using Type = u32; };
template <> struct UnsignedType<8> { using Type = u64; };
template <size_t bytes> using UnsignedOf = typename UnsignedType<bytes>::Type;

// Vectors of T as numbers that processors compare: T itself.
template <class T> struct Comparable {
  using Lane = T;
  template <class V> static V of(const V& values, bool) { return values; }
};
// A bool's byte may be any number.
template <> struct Comparable<bool> {
  using Lane = u8;
  template <class V> static V of(const V& bytes, bool) { return V(bytes != V{}); }
};
// Integers of the same order: both zeros are 0, and NaNs come before all else.
template <class Format> struct Comparable<Narrow<Format>> {
  using Lane = i16;
  template <class V> static V of(const V& bits, bool lowest_first) {
    const V size = bits & Lane(0x7fff), number = bits < 0 ? -size : size;
    const V first = V{} + Lane(0x7fff);
    return size > Lane(Format::infinity) ? (lowest_first ? -first : first) : number;
  }
};

// `Op` says which of two is better.
template <class Op, class T> struct BestPlace {
  using Lane = typename Comparable<T>::Lane;
  using Step = UnsignedOf<sizeof(T) < 8 ? sizeof(T) : 8>;
  static constexpr bool has_vectors = std::is_arithmetic_v<Lane>;
  static constexpr bool has_nans = std::is_floating_point_v<Lane>;
  static constexpr int kHalfVector = kVectorBytes > 32 ? 32 : 16;
  static constexpr int kFewest = sizeof(T) < 8 ? 8 : 16;  // bytes of the least vector of columns
  static constexpr int64_t kMostSteps = 255;              // bytes count no further

  template <int bytes> struct Lanes {
    using Native = NativeVector<Lane, bytes>;
    using Values = typename Native::Type;
    using Steps = typename NativeVector<Step, bytes>::Type;
    using Truth = typename Native::Truth;
    static constexpr int kEach = Native::kEach;

    static Values at(const T* from) {
      return Comparable<T>::of(Native::at(reinterpret_cast<const Lane*>(from)), is_lowest());
    }
  };

  static bool is_lowest() { return Op::template better<i32>(0, 1) == 0; }

  // The index of the best of `count` numbers, 1 to kMostSteps vectors of 16 bytes.
  static int64_t in_row(const T* x, int64_t count) {
    int64_t place = -1;
    if constexpr (has_vectors) {
      constexpr int64_t kEach = Lanes<kVectorBytes>::kEach;
      if (count >= 2 * kEach) place = in_row_by<kVectorBytes>(x, count);
      else if (count >= kEach) place = in_row_by<kHalfVector>(x, count);
      else if (count >= Lanes<16>::kEach) place = in_row_by<16>(x, count);
    }
    return place < 0 ? in_row_by_one(x, count) : place;
  }

  // What narrow rows and complex numbers go by, one number after another.
  static bool beats(T next, T best) {
    return !(is_lowest() ? less_equal(best, next) : less_equal(next, best)) & !is_nan(best);
  }
  static int64_t in_row_by_one(const T* x, int64_t count) {
    T best = load(x, 0);
    int64_t place = 0;
    for (int64_t i = 1; i < count; ++i) {
      const T next = load(x, i);
      const bool better = beats(next, best);
      best = better ? next : best;
      place = better ? i : place;
    }
    return place;
  }

  // The same of a vector and more; -1 where there is a NaN. The next step waits for the best alone,
  // which takes one instruction.
  template <int bytes> static int64_t in_row_by(const T* x, int64_t count) {
    using L = Lanes<bytes>;
    using Steps = typename L::Steps;
    const auto better_of = [](const auto& a, const auto& b) __attribute__((always_inline)) {
      return is_lowest() ? (b < a ? b : a) : (a < b ? b : a);
    };
    typename L::Values best = L::at(x);
    Steps steps = {}, step = steps + Step(1);
    typename L::Truth nans = {};
    if (has_nans) nans |= best != best;
    const auto take = [&](const T* from) __attribute__((always_inline)) {
      const typename L::Values next = L::at(from), better = better_of(best, next);
      if (has_nans) nans |= next != next;
      steps = better != best ? step : steps;
      best = better;
    };
    int64_t i = L::kEach;
    for (; i + L::kEach <= count; i += L::kEach, step += Step(1)) take(x + i);
    if (i < count) take(x + count - L::kEach);  // the rest, and some once more
    if (has_nans && lane_bytes(nans)) return -1;
    steps = best == in_all_lanes(best, better_of) ? steps : ~Steps{};
    const Steps first = in_all_lanes(
        steps, [](const Steps& a, const Steps& b)
                   __attribute__((always_inline)) { return a < b ? a : b; });
    const bool is_rest = i < count && first[0] == step[0];
    const int64_t from = is_rest ? count - L::kEach : int64_t(first[0]) * L::kEach;
    return from + std::countr_zero(lane_bytes(steps == first)) / int64_t(sizeof(T));
  }

  // Combines all lanes, in each of them.
  template <class V, class Combine, size_t half = sizeof(V) / sizeof(Step) / 2>
  static V in_all_lanes(V v, Combine combine) {
    if constexpr (half == 0) {
      return v;
    } else {
      const V across = exchanged<half>(v, std::make_index_sequence<sizeof(V) / sizeof(Step)>());
      return in_all_lanes<V, Combine, half / 2>(combine(v, across), combine);
    }
  }
  template <size_t half, class V, size_t... lane>
  static V exchanged(V v, std::index_sequence<lane...>) {
    return __builtin_shufflevector(v, v, int(lane ^ half)...);
  }

  // Whether a number of some might be better than `best`: few numbers are not looked at.
  static bool any_better(const T* x, int64_t count, T best) {
    if constexpr (!has_vectors) {
      return true;
    } else {
      using L = Lanes<kVectorBytes>;
      constexpr int kVectors = 4;
      constexpr int64_t kStep = kVectors * L::kEach;
      if (count < kStep || is_nan(best)) return !is_nan(best);
      T copies[L::kEach];
      std::fill_n(copies, L::kEach, best);
      const typename L::Values all = L::at(copies);
      typename L::Truth found = {};
      const auto compare = [&](const T* from) __attribute__((always_inline)) {
        for (int v = 0; v < kVectors; ++v) {
          const typename L::Values next = L::at(from + v * L::kEach);
          found |= is_lowest() ? ~(all <= next) : ~(next <= all);  // true of a NaN
        }
      };
      for (int64_t i = 0; i + kStep <= count; i += kStep) compare(x + i);
      compare(x + count - kStep);
      return lane_bytes(found) != 0;
    }
  }

  // best[c] takes in column c of `rows` x `columns` numbers; a row is `stride` after the one before
  // it, and the first is number `first`.
  static void in_columns(Indexed<T>* best, const T* x, int64_t rows, int64_t columns,
                         int64_t stride, int64_t first) {
    if (best[0].index < 0) {  // none has one yet
      for (int64_t c = 0; c < columns; ++c) best[c] = indexed(load(x, c), first);
    }
    if constexpr (has_vectors) {
      if (columns >= Lanes<kFewest>::kEach) {
        for (int64_t row = 0; row < rows; row += kMostSteps) {
          const int64_t count = std::min(kMostSteps, rows - row);
          in_columns_by_vectors(best, x + row * stride, count, columns, stride, first + row);
        }
        return;
      }
    }
    for (int64_t row = 0; row < rows; ++row, x += stride) {
      for (int64_t c = 0; c < columns; ++c) {
        const T next = load(x, c);
        if (beats(next, best[c].value)) best[c] = indexed(next, first + row);
      }
    }
  }

  static void in_columns_by_vectors(Indexed<T>* best, const T* x, int64_t rows, int64_t columns,
                                    int64_t stride, int64_t first) {
    constexpr int64_t kEach = Lanes<kVectorBytes>::kEach;
    int64_t c = 0;
    if (columns >= kEach) {
      for (; columns - c > 2 * kEach; c += 4 * kEach)
        in_columns_by<kVectorBytes, 4>(best, x, rows, columns, stride, first, c);
      if (c < columns) in_columns_by<kVectorBytes, 2>(best, x, rows, columns, stride, first, c);
    } else if (columns >= Lanes<kHalfVector>::kEach) {
      in_columns_by<kHalfVector, 2>(best, x, rows, columns, stride, first, c);
    } else if (columns >= Lanes<16>::kEach) {
      in_columns_by<16, 2>(best, x, rows, columns, stride, first, c);
    } else {
      in_columns_by<kFewest, 2>(best, x, rows, columns, stride, first, c);
    }
  }

  // The same of some columns from `from` on, a vector's and more in all.
  template <int bytes, int vectors>
  static void in_columns_by(Indexed<T>* best, const T* x, int64_t rows, int64_t columns,
                            int64_t stride, int64_t first, int64_t from) {
    using L = Lanes<bytes>;
    typename L::Values winner[vectors];
    typename L::Steps steps[vectors];
    int64_t at[vectors];
    for (int v = 0; v < vectors; ++v) {
      at[v] = std::min(from + v * L::kEach, columns - L::kEach);  // the last overlap
      T values[L::kEach];
      for (int lane = 0; lane < L::kEach; ++lane) values[lane] = best[at[v] + lane].value;
      winner[v] = L::at(values);
      steps[v] = typename L::Steps{};
    }
    typename L::Steps step = typename L::Steps{} + Step(1);  // 0 is no step
    for (int64_t row = 0; row < rows; ++row, step += Step(1)) {
      for (int v = 0; v < vectors; ++v) {
        const typename L::Values next = L::at(x + row * stride + at[v]);
        const auto better = !has_nans     ? (is_lowest() ? next < winner[v] : winner[v] < next)
                            : is_lowest() ? ~(winner[v] <= next) & (winner[v] == winner[v])
                                          : ~(next <= winner[v]) & (winner[v] == winner[v]);
        winner[v] = better ? next : winner[v];
        steps[v] = better ? step : steps[v];
      }
    }
    for (int v = 0; v < vectors; ++v) {
      for (int lane = 0; lane < L::kEach; ++lane) {
        const int64_t row = int64_t(steps[v][lane]) - 1, column = at[v] + lane;
        if (row >= 0) best[column] = indexed(load(x, row * stride + column), first + row);
      }
    }
  }
};

}  // namespace
}  // namespace gpy::rt
