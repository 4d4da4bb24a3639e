// Rows partitioned by selecting among their keys, in linear time.

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sorting/elements.h"
#include "runtime/cpu/sorting/restore.h"
#include "runtime/cpu/sorting/row_work.h"
#include "runtime/cpu/sorting/sort_by_comparing.h"

namespace gpy::rt {
namespace {

using Kths = std::span<const int64_t>;

// Selects the item of each place, the middle place first: it partitions the row for the others. The
// first item is at place `begin`.
template <class Item, class Select>
void select_all(Item* items, int64_t begin, int64_t count, Kths kths, Select&& select) {
  if (kths.empty() || count < 2) return;
  const size_t half = kths.size() / 2;
  const int64_t kth = kths[half] - begin;
  select(items, count, kth);
  select_all(items, begin, kth, kths.first(half), select);
  select_all(items + kth + 1, begin + kth + 1, count - kth - 1, kths.subspan(half + 1), select);
}

// Moves the keys that are not NaNs' to the front.
template <class T> void drop_nans(KeyOf<T>* keys, int64_t count) {
  KeyOf<T>* next = keys;
  for_each_polled(count, [&](int64_t i) {
    *next = keys[i];
    next += keys[i] != kNanKey<T>;
  });
}

template <class T>
void partition_row(const T* from, T* to, int64_t length, Kths kths, ThreadPool* threads) {
  KeyOf<T>* keys = reinterpret_cast<KeyOf<T>*>(to);
  const ElementLoops<T>& loops = element_loops<T>();
  const KeyRange range = make_keys(loops.to_keys, from, length, keys, threads);
  const int64_t numbers = length - range.nans;
  if (range.nans > 0) drop_nans<T>(keys, length);
  kths = Kths(kths.begin(), std::ranges::lower_bound(kths, numbers));
  select_all(keys, 0, numbers, kths, key_loops<KeyOf<T>>().select);
  if constexpr (!std::is_same_v<T, KeyOf<T>>) {
    in_pieces(threads, numbers,
              [&](int64_t i, int64_t end) { loops.from_keys(keys + i, end - i, to + i); });
  }
  restore_nans(from, length, range.nans, to);
}

template <class T> void partition_complex(T* row, int64_t length, Kths kths) {
  const auto select = [](T* items, int64_t count, int64_t kth) {
    poll_interrupt();
    std::nth_element(items, items + kth, items + count, ComesBefore<T>());
  };
  T* const end = row + length;
  T* const nans = std::partition(
      row, end, [](const T& z) { return !std::isnan(z.real()) && !std::isnan(z.imag()); });
  const int64_t numbers = nans - row;
  const auto among_nans = std::ranges::lower_bound(kths, numbers);
  select_all(row, 0, numbers, Kths(kths.begin(), among_nans), select);
  select_all(nans, numbers, end - nans, Kths(among_nans, kths.end()), select);
}

// Writes the numbers of the elements before `key`, of those that equal it, and of the others.
void number_parts(const int64_t* keys, int64_t count, int64_t key, int64_t below, int64_t equal,
                  int64_t* order) {
  int64_t next[] = {0, below, below + equal};
  for_each_polled(count, [&](int64_t i) { order[next[(keys[i] >= key) + (keys[i] > key)]++] = i; });
}

template <class T>
void argpartition_row(const T* from, int64_t* order, int64_t* scratch, int64_t length, int64_t kth,
                      ThreadPool* threads) {
  const auto loop = element_loops<T>().to_order_keys;
  make_keys(loop, from, length, scratch, threads);
  key_loops<int64_t>().select(scratch, length, kth);
  const int64_t key = scratch[kth];
  int64_t below = 0, equal = 0;
  for_each_polled(length, [&](int64_t i) {
    below += scratch[i] < key;
    equal += scratch[i] == key;
  });
  make_keys(loop, from, length, scratch, threads);
  number_parts(scratch, length, key, below, equal, order);
}

}  // namespace

void partition_rows(Workplace& at, const Rows& rows, const void* from, void* to, Kths kths) {
  with_element_type(rows.dtype, [&](auto element) {
    using T = decltype(element);
    const T* first = static_cast<const T*>(from);
    T* result = static_cast<T*>(to);
    if constexpr (kIsComplex<T>) {
      for_each_row(at, rows, [&](int64_t row, ThreadPool*) {
        const int64_t start = row * rows.length;
        copy_polled(first + start, first + start + rows.length, result + start);
        partition_complex(result + start, rows.length, kths);
      });
    } else if constexpr (sizeof(T) >= 4) {
      for_each_row(at, rows, [&](int64_t row, ThreadPool* threads) {
        const int64_t start = row * rows.length;
        partition_row(first + start, result + start, rows.length, kths, threads);
      });
    } else {
      sort_rows(at, rows, from, to);  // by counting
    }
  });
}

void argpartition_rows(Workplace& at, const Rows& rows, const void* from, int64_t* order,
                       Kths kths) {
  with_element_type(rows.dtype, [&](auto element) {
    using T = decltype(element);
    if constexpr (!kIsComplex<T>) {
      if (kths.size() == 1) {
        Scratch<int64_t> scratch(at, rows.count * rows.length);
        for_each_row(at, rows, [&](int64_t row, ThreadPool* threads) {
          const int64_t start = row * rows.length;
          argpartition_row(static_cast<const T*>(from) + start, order + start,
                           scratch.data() + start, rows.length, kths[0], threads);
        });
        return;
      }
    }
    argsort_rows(at, rows, from, order);
  });
}

}  // namespace gpy::rt
