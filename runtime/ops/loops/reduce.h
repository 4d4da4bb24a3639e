#pragma once

// Makes the tile loops of one family of reductions for one instruction set (see tile.h).

#include <bit>
#include <type_traits>

#include "runtime/core/native_vector.h"
#include "runtime/ops/loops/best_place.h"
#include "runtime/ops/loops/tile.h"
#include "runtime/ops/reduction_loops.h"

// Put into loops that are never long: vectorised, they would only cost compile time.
#define GPY_NO_VECTORS asm volatile("")

namespace gpy::rt {
namespace {

// Eight accumulators of a pairwise sum, as NumPy has them.
template <class F> struct Eight {
  using Native = NativeVector<F, 8 * sizeof(F) < kVectorBytes ? 8 * sizeof(F) : kVectorBytes>;
  static constexpr int kEach = Native::kEach;

  typename Native::Type parts[8 / kEach];

  explicit Eight(const F* from) {
    for (int i = 0; i < 8 / kEach; ++i) parts[i] = Native::at(from + i * kEach);
  }
  void add(const F* from) {
    for (int i = 0; i < 8 / kEach; ++i) parts[i] += Native::at(from + i * kEach);
  }
  F operator[](int i) const { return parts[i / kEach][i % kEach]; }
};

constexpr int64_t kPairwiseBlock = 128;
constexpr int64_t kAhead = 512;  // bytes: a machine's own prefetching starts anew with every block

// Sums at most kPairwiseBlock numbers. `apart` is 2 for complex numbers, summed by parts.
template <class F, int apart> void sum_block(const F* values, int64_t count, F* sum) {
  if (count < 8) {
    for (int part = 0; part < apart; ++part) sum[part] = F(-0.0);
    for (int64_t i = 0; i < count; i += apart) {
      for (int part = 0; part < apart; ++part) sum[part] += values[i + part];
    }
    return;
  }
  Eight<F> r(values);
  int64_t i = 8;
  for (; i < count - count % 8; i += 8) {
    __builtin_prefetch(values + i + kAhead / sizeof(F));
    r.add(values + i);
  }
  if constexpr (apart == 1) {
    sum[0] = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  } else {
    sum[0] = (r[0] + r[2]) + (r[4] + r[6]);
    sum[1] = (r[1] + r[3]) + (r[5] + r[7]);
  }
  for (; i < count; i += apart) {
    for (int part = 0; part < apart; ++part) sum[part] += values[i + part];
  }
}

template <class F, int apart> void sum_pairwise(const F* values, int64_t count, F* sum) {
  if (count <= kPairwiseBlock) return sum_block<F, apart>(values, count, sum);
  int64_t half = count / 2;
  half -= half % 8;
  F right[apart];
  sum_pairwise<F, apart>(values, half, sum);
  sum_pairwise<F, apart>(values + half, count - half, right);
  for (int part = 0; part < apart; ++part) sum[part] += right[part];
}

template <class T> void sum_pairwise_narrow(const T* values, int64_t count, f32* sum) {
  if (count <= kPairwiseBlock) {
    alignas(64) f32 wide[kPairwiseBlock];
    to_floats(values, wide, count);
    return sum_block<f32, 1>(wide, count, sum);
  }
  int64_t half = count / 2;
  half -= half % 8;
  f32 right;
  sum_pairwise_narrow(values, half, sum);
  sum_pairwise_narrow(values + half, count - half, &right);
  *sum += right;
}

template <class Op, class T, class R> struct Reduce {
  using A = typename Op::template Accumulator<T>;

  static constexpr bool rounds = Traits<T>::is_float || Traits<T>::is_complex;
  static constexpr FoldOrder order = !rounds                  ? FoldOrder::kAny
                                     : Op::traits & kPairwise ? FoldOrder::kPairwise
                                     : Op::traits & kInOrder  ? FoldOrder::kInOrder
                                                              : FoldOrder::kAny;
  // For narrow floats, a sum that is handed on is rounded to their type.
  static A round(A a) {
    if constexpr (IsNarrow<T>::value && Same<A, f32>::value) return f32(T(a));
    else return a;
  }
  static A lift(T x, i64 i) { return Op::template lift<A, T>(x, i); }
  static A combine(A a, A b) { return Op::template combine<A, T>(a, b); }
  static A identity() { return Op::template identity<A, T>(); }

  using Best = BestPlace<Op, T>;
  static constexpr bool is_arg = (Op::traits & kIsArg) != 0;
  static constexpr bool settles = (Op::traits & kSettles) != 0 || (is_arg && Traits<T>::is_bool);

  static void start(void* accumulators, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      static_cast<A*>(accumulators)[i] = identity();
      GPY_NO_VECTORS;
    }
  }

  static void subtree(void* sum, const void* values, int64_t count) {
    if constexpr (order == FoldOrder::kPairwise) {
      if constexpr (IsNarrow<T>::value) {
        sum_pairwise_narrow(static_cast<const T*>(values), count, static_cast<f32*>(sum));
      } else {
        using F = typename Traits<T>::Real;
        constexpr int apart = sizeof(T) / sizeof(F);
        sum_pairwise<F, apart>(static_cast<const F*>(values), count * apart, static_cast<F*>(sum));
      }
    }
  }

  static void take_run(void* accumulator, const void* sum) {
    A& a = *static_cast<A*>(accumulator);
    a = round(combine(a, *static_cast<const A*>(sum)));
  }

  // Folds in any order: many accumulators side by side keep the vector units busy.
  [[gnu::noinline]] static A fold_lanes(A a, const T* x, int64_t count, int64_t first) {
    constexpr int64_t kLanes = 256 / sizeof(A) < 8 ? 8 : 256 / sizeof(A);
    int64_t i = 0;
    if (count >= 2 * kLanes) {
      A lanes[kLanes];
      for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] = lift(load(x, lane), first + lane);
      for (i = kLanes; i + kLanes <= count; i += kLanes) {
        GPY_INDEPENDENT
        for (int64_t lane = 0; lane < kLanes; ++lane) {
          lanes[lane] = combine(lanes[lane], lift(load(x, i + lane), first + i + lane));
        }
      }
      for (int64_t lane = 0; lane < kLanes; ++lane) a = combine(a, lanes[lane]);
    }
    for (; i < count; ++i) a = combine(a, lift(load(x, i), first + i));
    return a;
  }

  // Counts in numbers as wide as the elements, which are added up before they overflow.
  static i64 fold_counts(const T* x, int64_t count) {
    using Narrow = UnsignedOf<sizeof(T) < 8 ? sizeof(T) : 8>;
    constexpr int64_t kLanes = 64 / sizeof(Narrow), kBlock = kLanes * 255;
    i64 sum = 0;
    int64_t i = 0;
    while (i + kLanes <= count) {
      Narrow lanes[kLanes] = {};
      const int64_t end = i + kBlock < count ? i + kBlock : count;
      for (; i + kLanes <= end; i += kLanes) {
        GPY_INDEPENDENT
        for (int64_t lane = 0; lane < kLanes; ++lane) {
          lanes[lane] += Narrow(truth(load(x, i + lane)));
        }
      }
      for (int64_t lane = 0; lane < kLanes; ++lane) sum += i64(lanes[lane]);
    }
    for (; i < count; ++i) sum += truth(load(x, i));
    return sum;
  }

  // Stops once the result is settled.
  static A fold_settling(A a, const T* x, int64_t count) {
    constexpr int64_t kBlock = 1024;
    for (int64_t from = 0; from < count && a == identity(); from += kBlock) {
      const int64_t to = from + kBlock < count ? from + kBlock : count;
      u8 other = 0;
      GPY_INDEPENDENT
      for (int64_t i = from; i < to; ++i) other |= u8(lift(load(x, i), 0) != identity());
      if (other) a = !a;
    }
    return a;
  }
  static bool is_settled(const void* accumulator) {
    const A& a = *static_cast<const A*>(accumulator);
    if constexpr (is_arg) return a.index >= 0 && bool(a.value) != Best::is_lowest();
    else return a != identity();
  }

  // Block by block: one that has nothing better is only compared with the best so far.
  static A fold_arg(A a, const T* x, int64_t count, int64_t first) {
    if constexpr (Traits<T>::is_bool) {
      if (is_settled(&a)) return a;
      const bool best = !Best::is_lowest();
      const int64_t place = place_of(x, count, best);
      return combine(a, place < count ? lift(best, first + place) : lift(!best, first));
    } else {
      constexpr int64_t kBlock = 1024;
      bool rises = a.index < 0;  // then the next block is likely to have something better
      for (int64_t from = 0; from < count; from += kBlock) {
        const int64_t block = count - from < kBlock ? count - from : kBlock;
        if (!rises && !Best::any_better(x + from, block, a.value)) continue;
        const int64_t place = from + Best::in_row(x + from, block);
        const A next = combine(a, lift(x[place], first + place));
        rises = next.index != a.index;
        a = next;
      }
      return a;
    }
  }

  // The first index of a truth; `count` where it does not occur. A bool's byte may be any number.
  static int64_t place_of(const bool* x, int64_t count, bool wanted) {
    const auto* bytes = reinterpret_cast<const u8*>(x);
    if (count >= kVectorBytes) return place_by<kVectorBytes>(bytes, count, wanted);
    if (count >= 16) return place_by<16>(bytes, count, wanted);
    int64_t i = 0;
    while (i < count && load(x, i) != wanted) ++i;
    return i;
  }
  template <int each> static int64_t place_by(const u8* x, int64_t count, bool wanted) {
    using Native = NativeVector<u8, each>;
    for (int64_t i = 0;; i += each) {
      if (i > count - each) i = count - each;  // the rest, and some once more
      const typename Native::Type lanes = Native::at(x + i), zero = {};
      const u64 found = lane_bytes(wanted ? lanes != zero : lanes == zero);
      if (found) return i + std::countr_zero(found);
      if (i == count - each) return count;
    }
  }

  // The better of two numbers or vectors of them; the first where one is a NaN.
  template <class V> static V better_number(V a, V b) {
    return combine(A(0), A(1)) == A(0) ? (b < a ? b : a) : (a < b ? b : a);
  }

  // The best of `vectors` vectors and more. False where a NaN decides.
  template <int vectors> static bool best_of_vectors(const T* x, int64_t count, T* winner) {
    using Native = NativeVector<T>;
    constexpr int64_t kStep = vectors * Native::kEach;
    typename Native::Type best[vectors];
    typename Native::Truth nans = {};
    const auto take = [&](const T* from, bool is_first) __attribute__((always_inline)) {
      for (int v = 0; v < vectors; ++v) {
        const typename Native::Type values = Native::at(from + v * Native::kEach);
        nans |= values != values;
        best[v] = is_first ? values : better_number(best[v], values);
      }
    };
    take(x, true);
    for (int64_t i = kStep; i + kStep <= count; i += kStep) take(x + i, false);
    take(x + count - kStep, false);  // the rest, and some once more
    if (any(nans)) return false;
    for (int v = 1; v < vectors; ++v) best[0] = better_number(best[0], best[v]);
    *winner = best[0][0];
    for (int lane = 1; lane < Native::kEach; ++lane)
      *winner = better_number(*winner, T(best[0][lane]));
    return true;
  }

  // NaN, and zeros of both signs, are left to the loop that takes one element after another.
  static A fold_extreme(A a, const T* x, int64_t count, int64_t first) {
    constexpr int64_t kMany = 8 * NativeVector<T>::kEach;
    T winner;
    if (count < 2 * kMany || !best_of_vectors<8>(x, count, &winner) || winner == T(0)) {
      return fold_lanes(a, x, count, first);
    }
    return combine(a, winner);
  }

  static A fold_narrow(A a, const T* x, int64_t count, int64_t first) {
    alignas(64) f32 wide[kNarrowBlock];
    for (int64_t i = 0; i < count; i += kNarrowBlock) {
      const int64_t n = count - i < kNarrowBlock ? count - i : kNarrowBlock;
      to_floats(x + i, wide, n);
      a = Reduce<Op, f32, f32>::fold_lanes(a, wide, n, first + i);
    }
    return a;
  }

  [[gnu::noinline]] static A fold(A a, const T* x, int64_t count, int64_t first) {
    if constexpr (order == FoldOrder::kPairwise) {
      A sum;
      subtree(&sum, x, count);
      return round(combine(a, sum));
    } else if constexpr ((Op::traits & kCounts) != 0) {
      return a + fold_counts(x, count);
    } else if constexpr ((Op::traits & kSettles) != 0) {
      return fold_settling(a, x, count);
    } else if constexpr (is_arg) {
      return fold_arg(a, x, count, first);
    } else if constexpr ((Op::traits & kExtreme) != 0 && std::is_floating_point_v<T>) {
      return fold_extreme(a, x, count, first);
    } else if constexpr (order == FoldOrder::kAny && IsNarrow<T>::value && Same<A, f32>::value) {
      return fold_narrow(a, x, count, first);
    } else if constexpr (order == FoldOrder::kAny) {
      return fold_lanes(a, x, count, first);
    } else {
      for (int64_t i = 0; i < count; ++i) a = combine(a, lift(load(x, i), first + i));
      return a;
    }
  }

  static constexpr bool rounds_runs = IsNarrow<T>::value && Same<A, f32>::value;

  static void fold_rows(void* accumulators, const void* values, int64_t rows, int64_t length,
                        int64_t run, int64_t first) {
    const T* x = static_cast<const T*>(values);
    A* a = static_cast<A*>(accumulators);
    if (order != FoldOrder::kPairwise && !rounds_runs) run = first + length;
    const int64_t left_of_run = run - first % run;
    for (int64_t row = 0; row < rows; ++row, x += length) {
      for (int64_t at = 0, left = left_of_run; at < length; left = run) {
        const int64_t count = length - at < left ? length - at : left;
        a[row] = fold(a[row], x + at, count, first + at);
        if (count == left) a[row] = round(a[row]);
        at += count;
      }
    }
  }

  static void fold_columns(void* accumulators, const void* values, int64_t rows, int64_t columns,
                           int64_t stride, int64_t run, int64_t first) {
    const T* x = static_cast<const T*>(values);
    A* a = static_cast<A*>(accumulators);
    if constexpr (is_arg) return Best::in_columns(a, x, rows, columns, stride, first);
    for (int64_t row = 0; row < rows; ++row, x += stride) {
      if (rounds_runs && (first + row + 1) % run == 0) {
        for (int64_t c = 0; c < columns; ++c)
          a[c] = round(combine(a[c], lift(load(x, c), first + row)));
      } else {
        GPY_INDEPENDENT
        for (int64_t c = 0; c < columns; ++c) a[c] = combine(a[c], lift(load(x, c), first + row));
      }
    }
  }

  static void merge(void* accumulators, const void* later, int64_t count) {
    A* a = static_cast<A*>(accumulators);
    for (int64_t i = 0; i < count; ++i) {
      a[i] = combine(a[i], static_cast<const A*>(later)[i]);
      GPY_NO_VECTORS;
    }
  }

  static void finish(const void* accumulators, void* out, int64_t count) {
    const A* a = static_cast<const A*>(accumulators);
    for (int64_t i = 0; i < count; ++i)
      static_cast<R*>(out)[i] = Op::template finish<A, T, R>(a[i]);
  }

  static void scan(void* accumulator, bool fresh, const void* values, void* out, int64_t count) {
    const T* x = static_cast<const T*>(values);
    R* result = static_cast<R*>(out);
    A a = fresh ? identity() : *static_cast<A*>(accumulator);
    for (int64_t i = 0; i < count; ++i) {
      a = fresh && i == 0 ? lift(load(x, 0), 0) : round(combine(a, lift(load(x, i), 0)));
      result[i] = Op::template finish<A, T, R>(a);
    }
    *static_cast<A*>(accumulator) = a;
  }

  static void scan_columns(void* accumulators, bool fresh, const void* values, void* out,
                           int64_t columns) {
    const T* x = static_cast<const T*>(values);
    A* a = static_cast<A*>(accumulators);
    if (fresh) {
      for (int64_t c = 0; c < columns; ++c) a[c] = lift(load(x, c), 0);
    } else {
      fold_columns(a, x, 1, columns, columns, 1, 0);
    }
    finish(a, out, columns);
  }

  static constexpr bool (*settled())(const void*) {
    if constexpr (settles) return is_settled;
    else return nullptr;
  }

  static constexpr ReductionTiles tiles = {sizeof(A), order,     (Op::traits & kQuiet) != 0,
                                           start,     fold_rows, fold_columns,
                                           merge,     subtree,   take_run,
                                           finish,    scan,      scan_columns,
                                           settled()};
};

template <class Op, size_t... indices>
constexpr std::array<ReductionTiles, sizeof...(indices)> reduction_tables(
    std::index_sequence<indices...>) {
  return {Reduce<Op, typename CType<signature(Op::rule, 1, indices).in[0].code()>::Type,
                 typename CType<signature(Op::rule, 1, indices).out.code()>::Type>::tiles...};
}

}  // namespace
}  // namespace gpy::rt

#define GPY_REDUCTION_OP(name, rule_, traits_, A_, identity_, lift_, combine_, finish_)       \
  namespace {                                                                                 \
  struct reduce_##name {                                                                      \
    static constexpr int traits = traits_;                                                    \
    static constexpr TypeRule rule = type_rule::rule_;                                        \
    template <class T> struct Type { typedef A_ A; };                                         \
    template <class T> using Accumulator = typename Type<T>::A;                               \
    template <class A, class T> GPY_FN A identity() { return identity_; }                     \
    template <class A, class T> GPY_FN A lift([[maybe_unused]] T x, [[maybe_unused]] i64 i) { \
      return lift_;                                                                           \
    }                                                                                         \
    template <class A, class T> GPY_FN A combine(A a, A b) { return combine_; }               \
    template <class A, class T, class R> GPY_FN R finish(A a) { return finish_; }             \
    template <class T> GPY_FN T better(T a, T b) {                                            \
      return combine<A_, T>(indexed(a, 0), indexed(b, 1)).value;                              \
    }                                                                                         \
  };                                                                                          \
  }
#define GPY_REDUCTION_TABLE(name, rule, ...)                                                  \
  extern const std::array<ReductionTiles, loop_count(type_rule::rule)> reduce_##name##_tiles; \
  constexpr std::array<ReductionTiles, loop_count(type_rule::rule)> reduce_##name##_tiles =   \
      reduction_tables<reduce_##name>(std::make_index_sequence<loop_count(type_rule::rule)>());
