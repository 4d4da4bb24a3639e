// A key and the number of its element are packed into 64 bits: any sort of these integers gives the
// stable order. Where the keys of a row differ in more bits than there is room for, their upper
// bits are sorted first, and then each run that is equal in those.

#include <bit>

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sorting/elements.h"
#include "runtime/cpu/sorting/row_work.h"
#include "runtime/cpu/sorting/sort_by_comparing.h"

namespace gpy::rt {
namespace {

constexpr int kPackedBits = 63;  // packed keys are not negative

int bits_of(uint64_t greatest) { return std::bit_width(greatest); }

Packing packing_of(const KeyRange& range, int number_bits) {
  const int key_bits = bits_of(possible_keys(range) - 1);
  return {range.least, std::max(key_bits + number_bits - kPackedBits, 0), number_bits};
}

// Sorts a few elements of a run by key, then by number.
template <class T> void sort_few_numbers(const T* from, int64_t* order, int64_t count) {
  for (int64_t i = 1; i < count; ++i) {
    const int64_t number = order[i], key = order_key(from[number]);
    int64_t to = i;
    for (; to > 0; --to) {
      const int64_t before = order_key(from[order[to - 1]]);
      if (before < key || (before == key && order[to - 1] < number)) break;
      order[to] = order[to - 1];
    }
    order[to] = number;
  }
}

template <class T> void sort_runs(const T* from, int64_t* order, int64_t count, int number_bits);

// Sorts the numbers of some elements by key, then by number.
template <class T>
void sort_numbers(const T* from, int64_t* order, int64_t count, int number_bits) {
  constexpr int64_t kFew = 12;
  if (count <= kFew) return sort_few_numbers(from, order, count);
  KeyRange range{INT64_MAX, INT64_MIN, 0};
  for_each_polled(count, [&](int64_t i) {
    const int64_t key = order_key(from[order[i]]);
    range.least = std::min(range.least, key);
    range.greatest = std::max(range.greatest, key);
  });
  const Packing packing = packing_of(range, number_bits);
  for_each_polled(count, [&](int64_t i) {
    const uint64_t above = static_cast<uint64_t>(order_key(from[order[i]])) - range.least;
    order[i] |= static_cast<int64_t>(above >> packing.dropped << number_bits);
  });
  sort_keys(order, count, nullptr);
  if (packing.dropped > 0) sort_runs(from, order, count, number_bits);
  sorting_loops().unpack(order, count, number_bits);
}

// Calls work(begin, length) for each run of sorted packed keys that differ in their numbers only;
// the run has been unpacked to the numbers.
template <class Work>
void for_each_run(int64_t* order, int64_t count, int number_bits, Work&& work) {
  int64_t begin = 0;
  for_each_polled(count, [&](int64_t i) {
    const bool last = i + 1 == count;
    if (!last && order[i + 1] >> number_bits == order[i] >> number_bits) return;
    const int64_t length = i + 1 - begin;
    if (length > 1) {
      sorting_loops().unpack(order + begin, length, number_bits);
      work(begin, length);
    }
    begin = i + 1;
  });
}

template <class T> void sort_runs(const T* from, int64_t* order, int64_t count, int number_bits) {
  for_each_run(order, count, number_bits, [&](int64_t begin, int64_t length) {
    sort_numbers(from, order + begin, length, number_bits);
  });
}

// Replaces keys by the numbers of their elements, sorted; sort_equal(packing) sorts elements whose
// packed keys are equal.
template <class SortEqual>
void sort_packed(int64_t* order, int64_t count, const KeyRange& range, ThreadPool* threads,
                 SortEqual&& sort_equal) {
  const SortingLoops& loops = sorting_loops();
  const Packing packing = packing_of(range, bits_of(count - 1));
  in_pieces(threads, count,
            [&](int64_t i, int64_t end) { loops.pack(order + i, end - i, packing, i); });
  sort_keys(order, count, threads);
  sort_equal(packing);
  in_pieces(threads, count,
            [&](int64_t i, int64_t end) { loops.unpack(order + i, end - i, packing.number_bits); });
}

// A counting sort: each element goes to the next place of its key.
template <class T>
void sort_counted(const T* from, int64_t* order, int64_t count, const KeyRange& range) {
  std::vector<int64_t> places(possible_keys(range), 0);
  const uint64_t least = static_cast<uint64_t>(range.least);
  const auto place_of = [&](int64_t i) -> int64_t& {
    return places[static_cast<uint64_t>(order_key(from[i])) - least];
  };
  for_each_polled(count, [&](int64_t i) { ++place_of(i); });
  int64_t start = 0;
  for (int64_t& next : places) start += std::exchange(next, start);
  for_each_polled(count, [&](int64_t i) { order[place_of(i)++] = i; });
}

template <class T>
void argsort_row(const T* from, int64_t* order, int64_t count, ThreadPool* threads) {
  const KeyRange range = make_keys(element_loops<T>().to_order_keys, from, count, order, threads);
  if (is_countable(range, count)) return sort_counted(from, order, count, range);
  sort_packed(order, count, range, threads, [&](const Packing& packing) {
    if (packing.dropped > 0) sort_runs(from, order, count, packing.number_bits);
  });
}

// The key of a complex number's real part; numbers with a NaN have the greatest.
template <class F> int64_t real_key(const std::complex<F>& z) {
  return is_nan(z.imag()) ? kNanKey<F> : order_key(z.real());
}

// Sorts by the real parts, and numbers of equal real parts by comparing.
template <class F>
void argsort_row(const std::complex<F>* from, int64_t* order, int64_t* spare, int64_t count,
                 ThreadPool* threads) {
  const KeyRange range = make_keys<std::complex<F>, int64_t>(
      [](const std::complex<F>* values, int64_t length, int64_t* keys) {
        KeyRange part{INT64_MAX, INT64_MIN, 0};
        for (int64_t i = 0; i < length; ++i) {
          keys[i] = real_key(values[i]);
          part.least = std::min(part.least, keys[i]);
          part.greatest = std::max(part.greatest, keys[i]);
        }
        return part;
      },
      from, count, order, threads);
  const auto before = [from](int64_t a, int64_t b) { return comes_before(from[a], from[b]); };
  sort_packed(order, count, range, threads, [&](const Packing& packing) {
    for_each_run(order, count, packing.number_bits, [&](int64_t begin, int64_t length) {
      sort_by_comparing(order + begin, length, spare + begin, before);
    });
  });
}

template <class T>
void argsort_complex(Workplace& at, const Rows& rows, const T* from, int64_t* order) {
  Scratch<int64_t> scratch(at, rows.length > kComparedPiece ? rows.count * rows.length : 0);
  int64_t* const spare = scratch.data();
  for_each_row(at, rows, [&](int64_t row, ThreadPool* threads) {
    const int64_t first = row * rows.length;
    argsort_row(from + first, order + first, rows.length > kComparedPiece ? spare + first : nullptr,
                rows.length, threads);
  });
}

}  // namespace

void argsort_rows(Workplace& at, const Rows& rows, const void* from, int64_t* order) {
  with_element_type(rows.dtype, [&](auto element) {
    using T = decltype(element);
    const T* first = static_cast<const T*>(from);
    if constexpr (kIsComplex<T>) {
      argsort_complex(at, rows, first, order);
    } else {
      for_each_row(at, rows, [&](int64_t row, ThreadPool* threads) {
        argsort_row(first + row * rows.length, order + row * rows.length, rows.length, threads);
      });
    }
  });
}

}  // namespace gpy::rt
