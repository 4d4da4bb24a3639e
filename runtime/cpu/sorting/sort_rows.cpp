// A row becomes keys in the memory of its result, which are sorted and become elements again. NaNs
// and zeros, which are equal but differ in bits, are restored in their order afterwards.

#include <vector>

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sorting/elements.h"
#include "runtime/cpu/sorting/restore.h"
#include "runtime/cpu/sorting/row_work.h"

namespace gpy::rt {
namespace {

// Counts the keys, key_at(i) for each, and calls put(key, times) for those that occur, the least
// one first.
template <class KeyAt, class Put>
void in_counted_order(const KeyRange& range, int64_t count, KeyAt&& key_at, Put&& put) {
  const uint64_t least = static_cast<uint64_t>(range.least);
  std::vector<int64_t> counts(possible_keys(range), 0);
  for_each_polled(count, [&](int64_t i) { ++counts[static_cast<uint64_t>(key_at(i)) - least]; });
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) put(range.least + static_cast<int64_t>(i), counts[i]);
  }
}

template <class T> T* fill_polled(T* to, int64_t count, T value) {
  for_each_polled(count, [&](int64_t i) { to[i] = value; });
  return to + count;
}

template <class Key> void count_sort(Key* keys, int64_t count, const KeyRange& range) {
  Key* to = keys;
  in_counted_order(
      range, count, [keys](int64_t i) { return int64_t{keys[i]}; },
      [&](int64_t key, int64_t times) { to = fill_polled(to, times, static_cast<Key>(key)); });
}

// Sorts elements as wide as their keys.
template <class T> void sort_wide(const T* from, T* to, int64_t length, ThreadPool* threads) {
  KeyOf<T>* keys = reinterpret_cast<KeyOf<T>*>(to);
  const ElementLoops<T>& loops = element_loops<T>();
  const KeyRange range = make_keys(loops.to_keys, from, length, keys, threads);
  if (!kHasNan<T> && is_countable(range, length)) count_sort(keys, length, range);
  else sort_keys(keys, length, threads);
  const Zeros zeros = zeros_of<T>(keys, length, range);
  // The keys of floats that are not negative are their bits.
  const bool is_key = std::is_same_v<T, KeyOf<T>> || (kHasNan<T> && range.least >= 0);
  if (!is_key) {
    in_pieces(threads, length,
              [&](int64_t i, int64_t end) { loops.from_keys(keys + i, end - i, to + i); });
  }
  restore_zeros(from, length, zeros, to);
  restore_nans(from, length, range.nans, to);
}

// Elements of 8 or 16 bits: few are sorted by keys, many are counted.
template <class T> constexpr int64_t kFew = sizeof(T) == 1 ? 64 : 1 << 13;
template <class T>
constexpr KeyRange kEveryKey{-(int64_t{1} << (8 * sizeof(T) - 1)), (1 << 8 * sizeof(T)) - 1, 0};

template <class T> void sort_few(const T* from, T* to, int64_t length) {
  KeyOf<T> keys[kFew<T>];
  const ElementLoops<T>& loops = element_loops<T>();
  const KeyRange range = loops.to_keys(from, length, keys);
  sort_keys(keys, length, nullptr);
  loops.from_keys(keys, length, to);
  restore_zeros(from, length, zeros_of<T>(keys, length, range), to);
  restore_nans(from, length, range.nans, to);
}

template <class T> void sort_narrow(const T* from, T* to, int64_t length) {
  if (length <= kFew<T>) return sort_few(from, to, length);
  T* next = to;
  Zeros zeros;
  int64_t nans = 0;
  in_counted_order(
      kEveryKey<T>, length, [from](int64_t i) { return int64_t{key_of(from[i])}; },
      [&](int64_t key, int64_t times) {
        if constexpr (kHasNan<T>) {
          if (key == -1) zeros.negative = times, zeros.begin = next - to;
          if (key == 0) zeros.positive = times;
          if (key == kNanKey<T>) nans = times;
        }
        next = fill_polled(next, times, element_of<T>(static_cast<KeyOf<T>>(key)));
      });
  restore_zeros(from, length, zeros, to);
  restore_nans(from, length, nans, to);
}

// Complex numbers have no complete keys: they are copied by the positions that sort them.
template <class T> void sort_complex(Workplace& at, const Rows& rows, const T* from, T* to) {
  Scratch<int64_t> scratch(at, rows.count * rows.length);
  int64_t* const order = scratch.data();
  argsort_rows(at, rows, from, order);
  for_each_row(at, rows, [&](int64_t row, ThreadPool* threads) {
    const int64_t first = row * rows.length;
    in_pieces(threads, rows.length, [&](int64_t i, int64_t end) {
      for (; i < end; ++i) to[first + i] = from[first + order[first + i]];
    });
  });
}

}  // namespace

void sort_rows(Workplace& at, const Rows& rows, const void* from, void* to) {
  with_element_type(rows.dtype, [&](auto element) {
    using T = decltype(element);
    const T* first = static_cast<const T*>(from);
    T* result = static_cast<T*>(to);
    if constexpr (kIsComplex<T>) {
      sort_complex(at, rows, first, result);
    } else {
      for_each_row(at, rows, [&](int64_t row, [[maybe_unused]] ThreadPool* threads) {
        const int64_t start = row * rows.length;
        if constexpr (sizeof(T) >= 4)
          sort_wide(first + start, result + start, rows.length, threads);
        else sort_narrow(first + start, result + start, rows.length);
      });
    }
  });
}

}  // namespace gpy::rt
