// Values are grouped by their positions with a stable sort. Pieces of 32, 32 * 32 and so on of the
// sorted values that are all of one position are combined first; then each position's element takes
// its values from the first one on: whole pieces as wide as they come, and single values. The order
// depends on nothing but the positions.
#include <cooperative_groups.h>

#include <bit>
#include <cub/warp/warp_reduce.cuh>

#include "runtime/cuda/ahead/device_work.cuh"
#include "runtime/cuda/sorting/find.cuh"
#include "runtime/cuda/sorting/steps.h"

namespace gpy::rt::cuda {
namespace {

#include "runtime/ops/support.h"
#include "runtime/sorting/combine_rules.h"

constexpr int kFanBits = 5, kFan = 1 << kFanBits;
constexpr int kLevels = 6;  // pieces of up to 2^30 values

template <class Key> struct KeyOfPosition {
  const int64_t* positions;
  Key* keys;
  __device__ void operator()(int64_t i) const { keys[i] = static_cast<Key>(positions[i]); }
};

// The values in the order of their positions.
template <class T, class Position> struct ValuesInOrder {
  const typename Stored<T>::Type* values;
  bool one_value;
  const Position* order;
  __device__ T operator()(int64_t i) const { return T(values[one_value ? 0 : order[i]]); }
};

template <class T> struct Pieces { T* of_level[kLevels]; };

// Combines the pieces of `level` from those of the level below it, a warp for each.
template <class Key, class T, class Values, class Rule>
__global__ void combine_pieces(int64_t pieces, int level, const Key* keys, Values values,
                               Pieces<T> all, Rule rule) {
  using Reduce = cub::WarpReduce<T>;
  constexpr int kWarps = kBlockThreads / kFan;
  __shared__ typename Reduce::TempStorage scratch[kWarps];
  const int warp = static_cast<int>(threadIdx.x) / kFan,
            lane = static_cast<int>(threadIdx.x) % kFan;
  const int bits = kFanBits * (level + 1);
  for (int64_t piece = int64_t{blockIdx.x} * kWarps + warp; piece < pieces;
       piece += int64_t{gridDim.x} * kWarps) {
    if (keys[piece << bits] != keys[((piece + 1) << bits) - 1]) continue;
    const int64_t part = piece * kFan + lane;
    const T own = level == 0 ? values(part) : all.of_level[level - 1][part];
    const T whole = Reduce(scratch[warp]).Reduce(own, rule);
    if (lane == 0) all.of_level[level][piece] = whole;
    __syncwarp();
  }
}

// If value i is the first one of its position, combines all of the position into its element.
template <class Key, class T, class Values, class Rule> struct CombineRun {
  int64_t count;
  const Key* keys;
  Values values;
  Pieces<T> pieces;
  Rule rule;
  typename Stored<T>::Type* elements;

  // Most runs are short: their end is searched for in steps that double.
  __device__ int64_t end_of_run(int64_t first) const {
    const Key key = keys[first];
    int64_t step = 1;
    while (first + step < count && keys[first + step] == key) step *= 2;
    const int64_t from = first + step / 2, to = first + step < count ? first + step : count;
    return from + find(keys + from, to - from, key, Side::kRight);
  }
  // The widest level whose piece begins at i and ends by `end`; -1: there is none.
  __device__ static int level_at(int64_t i, int64_t end) {
    int level = -1;
    for (; level + 1 < kLevels; ++level) {
      const int64_t size = int64_t{1} << kFanBits * (level + 2);
      if (i % size != 0 || i + size > end) break;
    }
    return level;
  }
  __device__ void operator()(int64_t first) const {
    const Key key = keys[first];
    if (first > 0 && keys[first - 1] == key) return;
    const int64_t end = end_of_run(first);
    T result = T(elements[key]);
    for (int64_t i = first; i < end;) {
      const int level = level_at(i, end), bits = kFanBits * (level + 1);
      result = rule(result, level < 0 ? values(i) : pieces.of_level[level][i >> bits]);
      i += int64_t{1} << bits;
    }
    elements[key] = result;
  }
};

template <class Key, class T, class Rule>
void combine_by(const DeviceWork& work, const Scattered& at, T, const Rule& rule) {
  using Values = ValuesInOrder<T, Key>;
  Key *const keys = work.room<Key>(at.count), *const sorted = work.room<Key>(at.count);
  work.for_each(at.count, KeyOfPosition<Key>{at.positions, keys});
  const int bits = static_cast<int>(std::bit_width(static_cast<uint64_t>(at.extent)));
  const Key* const order = order_of_keys(work, at.count, bits, keys, sorted);
  auto* const stored = static_cast<const typename Stored<T>::Type*>(at.values);
  const Values values{stored, at.one_value, order};
  Pieces<T> pieces = {};
  for (int level = 0; level < kLevels; ++level) {
    const int64_t count = at.count >> kFanBits * (level + 1);
    if (count == 0) break;
    pieces.of_level[level] = work.room<T>(count);
    combine_pieces<<<blocks_for(count * kFan), kBlockThreads, 0, work.stream()>>>(
        count, level, sorted, values, pieces, rule);
    check(cudaGetLastError());
  }
  auto* const elements = static_cast<typename Stored<T>::Type*>(at.elements);
  work.for_each(at.count,
                CombineRun<Key, T, Values, Rule>{at.count, sorted, values, pieces, rule, elements});
}

constexpr int64_t kSmall = INT64_C(0xffffffff);

// --- integers ------------------------------------------------------------------------------------

// The order of combining does not affect integers.

template <class T>
constexpr bool kHasAtomics = Traits<T>::is_integer && (sizeof(T) == 4 || sizeof(T) == 8);

template <class T> __device__ void combine_atomically(T* to, T value, AddBoth) {
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  atomicAdd(reinterpret_cast<Word*>(to), static_cast<Word>(value));
}
template <class T> __device__ void combine_atomically(T* to, T value, LesserOfBoth) {
  atomicMin(to, value);
}
template <class T> __device__ void combine_atomically(T* to, T value, GreaterOfBoth) {
  atomicMax(to, value);
}

template <class T, class Rule> struct CombineAtomically {
  const int64_t* positions;
  const T* values;
  bool one_value;
  Rule rule;
  T* elements;
  __device__ void operator()(int64_t i) const {
    combine_atomically(elements + positions[i], values[one_value ? 0 : i], rule);
  }
};

template <class T, class Rule>
constexpr bool kIsAtomic = kHasAtomics<T> &&
                           (std::is_same_v<Rule, AddBoth> || std::is_same_v<Rule, LesserOfBoth> ||
                            std::is_same_v<Rule, GreaterOfBoth>);

// --- the last of equal positions -----------------------------------------------------------------

// Numbers count from 1, so that 0 is none.
template <class Word> struct NoteLast {
  const int64_t* positions;
  Word* last;
  __device__ void operator()(int64_t i) const {
    atomicMax(&last[positions[i]], static_cast<Word>(i + 1));
  }
};

template <class Word> struct ReadLast {
  const int64_t* positions;
  const Word* last;
  int64_t* numbers;
  __device__ void operator()(int64_t i) const {
    numbers[i] = static_cast<int64_t>(last[positions[i]]) - 1;
  }
};

template <class Word, class V> struct PutIfLast {
  const int64_t* positions;
  const Word* last;
  const V* values;
  V* to;
  __device__ void operator()(int64_t i) const {
    const int64_t position = positions[i];
    if (last[position] == static_cast<Word>(i + 1)) to[position] = values[i];
  }
};

template <class Word, class V> struct PutLast {
  const Word* last;
  const V* values;
  V* to;
  __device__ void operator()(int64_t position) const {
    if (last[position] != 0) to[position] = values[last[position] - 1];
  }
};

// Clears the table, fills it and puts the values, which takes one launch instead of three.
template <class Word, class V>
__global__ void put_last_in_order(const int64_t* positions, int64_t count, int64_t extent,
                                  Word* last, PutLast<Word, V> put) {
  const auto grid = cooperative_groups::this_grid();
  const auto first = static_cast<int64_t>(grid.thread_rank());
  const auto step = static_cast<int64_t>(grid.num_threads());
  for (int64_t i = first; i < extent; i += step) last[i] = 0;
  grid.sync();
  const NoteLast<Word> note{positions, last};
  for (int64_t i = first; i < count; i += step) note(i);
  grid.sync();
  for (int64_t i = first; i < extent; i += step) put(i);
}

template <class V> struct PutNumber {
  const int64_t *positions, *numbers;
  const V* values;
  V* to;
  __device__ void operator()(int64_t i) const {
    if (numbers[i] == i) to[positions[i]] = values[i];
  }
};

template <class Word>
const Word* last_of_each(const DeviceWork& work, const int64_t* positions, int64_t count,
                         int64_t extent) {
  Word* const last = work.room<Word>(extent);
  check(cudaMemsetAsync(last, 0, extent * sizeof(Word), work.stream()));
  work.for_each(count, NoteLast<Word>{positions, last});
  return last;
}

// Calls body(Word()) for numbers of up to `count`.
template <class Body> void with_word(int64_t count, Body&& body) {
  if (count <= kSmall) return body(0u);
  body(0ull);
}

struct LastOfRun {
  int64_t count;
  const uint64_t *keys, *order;
  int64_t* numbers;
  __device__ void operator()(int64_t i) const {
    const int64_t end = i + find(keys + i, count - i, keys[i], Side::kRight);
    numbers[order[i]] = static_cast<int64_t>(order[end - 1]);
  }
};

}  // namespace

// Uses a table of all positions where these are few beside the values, else a sort.
void last_equal(const DeviceWork& work, const int64_t* positions, int64_t count, int64_t extent,
                int64_t* numbers) {
  if (count == 0) return;
  if (!has_place_for_each(count, extent)) {
    uint64_t *const keys = work.room<uint64_t>(count), *const sorted = work.room<uint64_t>(count);
    work.for_each(count, KeyOfPosition<uint64_t>{positions, keys});
    const int bits = static_cast<int>(std::bit_width(static_cast<uint64_t>(extent)));
    const uint64_t* const order = order_of_keys(work, count, bits, keys, sorted);
    return work.for_each(count, LastOfRun{count, sorted, order, numbers});
  }
  with_word(count, [&](auto word) {
    using Word = decltype(word);
    const Word* const last = last_of_each<Word>(work, positions, count, extent);
    work.for_each(count, ReadLast<Word>{positions, last, numbers});
  });
}

void put_last(const DeviceWork& work, const int64_t* positions, int64_t count, int64_t extent,
              const void* values, int64_t size, void* to) {
  if (count == 0) return;
  with_bytes(size, [&](auto value) {
    using V = decltype(value);
    const V* const from = static_cast<const V*>(values);
    V* const elements = static_cast<V*>(to);
    if (!has_place_for_each(count, extent)) {
      int64_t* const numbers = work.room<int64_t>(count);
      last_equal(work, positions, count, extent, numbers);
      return work.for_each(count, PutNumber<V>{positions, numbers, from, elements});
    }
    with_word(count, [&](auto word) {
      using Word = decltype(word);
      // To write in order is faster, where there are not far more places than values.
      if (extent / 4 <= count) {
        Word* const last = work.room<Word>(extent);
        const PutLast<Word, V> put{last, from, elements};
        return work.run_together(put_last_in_order<Word, V>, std::max(count, extent), positions,
                                 count, extent, last, put);
      }
      const Word* const last = last_of_each<Word>(work, positions, count, extent);
      work.for_each(count, PutIfLast<Word, V>{positions, last, from, elements});
    });
  });
}

void combine(const DeviceWork& work, const Scattered& at) {
  if (at.count == 0 || add_in_bins(work, at)) return;
  with_type_and_rule(at.dtype, at.how, [&](auto element, auto rule) {
    using T = decltype(element);
    using Rule = decltype(rule);
    if constexpr (kIsAtomic<T, Rule>) {
      work.for_each(at.count,
                    CombineAtomically<T, Rule>{at.positions, static_cast<const T*>(at.values),
                                               at.one_value, rule, static_cast<T*>(at.elements)});
    } else if (at.count > kSmall || at.extent > kSmall) {
      combine_by<uint64_t>(work, at, element, rule);
    } else {
      combine_by<uint32_t>(work, at, element, rule);
    }
  });
}

}  // namespace gpy::rt::cuda
