#pragma once

// Sorting of at most 16 vectors of keys without a branch: each lane of the vectors is a column,
// which a network of comparisons sorts; then neighbouring groups of columns are merged,
// bitonically.

#include <type_traits>
#include <utility>

#include "runtime/cpu/sorting/loops/vectors.h"

namespace gpy::rt {
namespace {

template <class Key> constexpr Key kGreatest = static_cast<Key>(~(Key{1} << (8 * sizeof(Key) - 1)));

template <class Key> void sort_few(Key* keys, int64_t count) {
  for (int64_t i = 1; i < count; ++i) {
    const Key key = keys[i];
    int64_t at = i;
    for (; at > 0 && key < keys[at - 1]; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

#if defined(__AVX2__)

template <class Key> GPY_INLINE void exchange(Vector<Key>& a, Vector<Key>& b) {
  const Vector<Key> least = a < b ? a : b;
  b = a < b ? b : a;
  a = least;
}

// Batcher's odd-even merge sort of kRows rows, as pairs.
template <int kRows> struct Network {
  int pairs = 0;
  uint8_t first[64] = {}, second[64] = {};
  constexpr Network() {
    for (int p = 1; p < kRows; p *= 2) {
      for (int k = p; k >= 1; k /= 2) {
        for (int j = k % p; j + k < kRows; j += 2 * k) {
          for (int i = j; i < j + k; ++i) {
            if (i + k >= kRows || i / (2 * p) != (i + k) / (2 * p)) continue;
            first[pairs] = static_cast<uint8_t>(i);
            second[pairs++] = static_cast<uint8_t>(i + k);
          }
        }
      }
    }
  }
};
template <int kRows> constexpr Network<kRows> kNetwork;

// Lane i of the result is lane i ^ kFlip.
template <int kFlip, class Key, size_t... i>
GPY_INLINE void flip_lanes(Vector<Key>& v, std::index_sequence<i...>) {
  v = __builtin_shufflevector(v, v, (i ^ kFlip)...);
}
template <int kFlip, class Key> GPY_INLINE void flip_lanes(Vector<Key>& v) {
  flip_lanes<kFlip, Key>(v, std::make_index_sequence<kLanes<Key>>());
}

// All bits set in the lanes that have kBit in their number.
template <int kBit, class Key, size_t... i>
GPY_INLINE void upper_lanes(Vector<Key>& mask, std::index_sequence<i...>) {
  mask = Vector<Key>{static_cast<Key>(i & kBit ? -1 : 0)...};
}
template <int kBit, class Key> GPY_INLINE void upper_lanes(Vector<Key>& mask) {
  upper_lanes<kBit, Key>(mask, std::make_index_sequence<kLanes<Key>>());
}

// The lesser of both in the lanes of `v` without kBit in their number, the greater in the others.
#if defined(__AVX512F__)
template <int kBit>
constexpr uint16_t kUpperLanes = kBit == 1   ? 0xaaaa
                                 : kBit == 2 ? 0xcccc
                                 : kBit == 4 ? 0xf0f0
                                             : 0xff00;
template <int kBit> GPY_INLINE void part_lanes(Vector<int64_t>& v, const Vector<int64_t>& other) {
  const Vector<int64_t> least = v < other ? v : other;
  constexpr auto kUpper = static_cast<__mmask8>(kUpperLanes<kBit>);
  v = (Vector<int64_t>)_mm512_mask_max_epi64((__m512i)least, kUpper, (__m512i)v, (__m512i)other);
}
template <int kBit> GPY_INLINE void part_lanes(Vector<int32_t>& v, const Vector<int32_t>& other) {
  const Vector<int32_t> least = v < other ? v : other;
  constexpr __mmask16 kUpper = kUpperLanes<kBit>;
  v = (Vector<int32_t>)_mm512_mask_max_epi32((__m512i)least, kUpper, (__m512i)v, (__m512i)other);
}
#else
template <int kBit, class V> GPY_INLINE void part_lanes(V& v, const V& other) {
  using Key = std::remove_cvref_t<decltype(v[0])>;
  Vector<Key> upper;
  upper_lanes<kBit, Key>(upper);
  const V least = v < other ? v : other;
  const V most = v < other ? other : v;
  v = upper ? most : least;
}
#endif

template <class Key, int kRows> struct Columns {
  Vector<Key> row[kRows];

  template <int... pair> GPY_INLINE void sort_each(std::integer_sequence<int, pair...>) {
    (exchange<Key>(row[kNetwork<kRows>.first[pair]], row[kNetwork<kRows>.second[pair]]), ...);
  }
  GPY_INLINE void sort_each() {
    sort_each(std::make_integer_sequence<int, kNetwork<kRows>.pairs>());
  }

  // Sorts each column, which is bitonic.
  template <int kDistance> GPY_INLINE void clean_columns() {
    if constexpr (kDistance > 0) {
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        if (!(i & kDistance)) exchange<Key>(row[i], row[i + kDistance]);
      }
      clean_columns<kDistance / 2>();
    }
  }

  // Sorts each bitonic group of 2 * kDistance columns, except within its columns.
  template <int kDistance> GPY_INLINE void clean_groups() {
    if constexpr (kDistance > 0) {
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        Vector<Key> other = row[i];
        flip_lanes<kDistance, Key>(other);
        part_lanes<kDistance>(row[i], other);
      }
      clean_groups<kDistance / 2>();
    }
  }

  // Merges sorted groups of kWidth columns, until all columns are one group.
  template <int kWidth> GPY_INLINE void merge_groups() {
    if constexpr (kWidth < kLanes<Key>) {
      Vector<Key> upper;
      upper_lanes<kWidth, Key>(upper);
#pragma GCC unroll 16
      for (int i = 0; i < kRows / 2; ++i) {
        Vector<Key>&a = row[i], &b = row[kRows - 1 - i];
        flip_lanes<2 * kWidth - 1, Key>(b);
        const Vector<Key> least = a < b ? a : b;
        const Vector<Key> most = a < b ? b : a;
        a = upper ? most : least;
        b = upper ? least : most;
        flip_lanes<2 * kWidth - 1, Key>(b);
      }
      clean_groups<kWidth / 2>();
      clean_columns<kRows / 2>();
      merge_groups<2 * kWidth>();
    }
  }
};

// Sorts at most kRows * kLanes keys.
template <int kRows, class Key> [[gnu::noinline]] void sort_columns(Key* keys, int64_t count) {
  constexpr int kRoom = kRows * kLanes<Key>;
  alignas(kVectorBytes) Key room[kRoom];
  Columns<Key, kRows> columns;
  __builtin_memcpy(room, keys, count * sizeof(Key));
  for (int64_t i = count; i < kRoom; ++i) room[i] = kGreatest<Key>;
  for (int i = 0; i < kRows; ++i) load<Key>(columns.row[i], room + i * kLanes<Key>);
  columns.sort_each();
  columns.template merge_groups<1>();
  for (int i = 0; i < kRows; ++i) store<Key>(columns.row[i], room + i * kLanes<Key>);
  int64_t i = 0;
  for (int column = 0; i + kRows <= count; ++column, i += kRows) {
    for (int r = 0; r < kRows; ++r) keys[i + r] = room[r * kLanes<Key> + column];
  }
  for (; i < count; ++i) keys[i] = room[i % kRows * kLanes<Key> + i / kRows];
}

template <class Key> constexpr int64_t kSmall = 16 * kLanes<Key>;

// Sorts at most kSmall keys.
template <class Key> void sort_small(Key* keys, int64_t count) {
  if (count <= 8) return sort_few(keys, count);
  if (count <= 4 * kLanes<Key>) return sort_columns<4>(keys, count);
  if (count <= 8 * kLanes<Key>) return sort_columns<8>(keys, count);
  sort_columns<16>(keys, count);
}

#else

template <class Key> constexpr int64_t kSmall = 32;

template <class Key> void sort_small(Key* keys, int64_t count) { sort_few(keys, count); }

#endif

}  // namespace
}  // namespace gpy::rt
