#pragma once

// Stable sorts of keys, with and without numbers beside them, whole or row by row.

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "runtime/cuda/ahead/device_work.cuh"
#include "runtime/sorting/sorting.h"

namespace gpy::rt::cuda {

struct RowStart {
  int64_t length;
  __host__ __device__ int64_t operator()(int64_t row) const { return row * length; }
};

inline auto row_starts(int64_t first_row, int64_t length) {
  return thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(first_row),
                                         RowStart{length});
}

// Whether rows are sorted one after another, each by the whole device, rather than side by side, a
// block each. Times of an H200 in microseconds: a single row takes 40, and 1 more for 50,000
// elements; a block sorts 430 elements in 1, and 264 blocks run together.
inline bool one_by_one(const Rows& rows) {
  const double alone =
      static_cast<double>(rows.count) * (40 + static_cast<double>(rows.length) / 50e3);
  const double waves = 1 + static_cast<double>(rows.count / 264);
  return rows.count == 1 || alone < waves * static_cast<double>(rows.length) / 430;
}

// Calls run(row's start, workspace, bytes) for each row on the whole device, with one workspace.
template <class Run> void run_one_by_one(const DeviceWork& work, const Rows& rows, const Run& run) {
  size_t bytes = 0;
  check(run(0, nullptr, bytes));
  char* const room = work.room<char>(static_cast<int64_t>(bytes));
  for (int64_t start = 0; start < rows.count * rows.length; start += rows.length) {
    check(run(start, room, bytes));
  }
}

template <class Key>
void sort_one_by_one(const DeviceWork& work, const Rows& rows, const Key* from, Key* to) {
  run_one_by_one(work, rows, [&](int64_t start, void* room, size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(room, bytes, from + start, to + start, rows.length, 0,
                                          8 * static_cast<int>(sizeof(Key)), work.stream());
  });
}

template <class Key>
void sort_side_by_side(const DeviceWork& work, const Rows& rows, const Key* from, Key* to) {
  work.run([&](void* room, size_t& bytes) {
    return cub::DeviceSegmentedSort::StableSortKeys(room, bytes, from, to, rows.count * rows.length,
                                                    rows.count, row_starts(0, rows.length),
                                                    row_starts(1, rows.length), work.stream());
  });
}

// If rows are sorted one by one, only the lowest `bits` of the keys are compared.
template <class Key, class Number>
void sort_pairs(const DeviceWork& work, const Rows& rows, const Key* keys, Key* sorted_keys,
                const Number* numbers, Number* sorted_numbers, int bits = 8 * sizeof(Key)) {
  if constexpr (sizeof(Number) == sizeof(uint32_t)) {
    if (!one_by_one(rows)) {
      return work.run([&](void* room, size_t& bytes) {
        return cub::DeviceSegmentedSort::StableSortPairs(
            room, bytes, keys, sorted_keys, numbers, sorted_numbers, rows.count * rows.length,
            rows.count, row_starts(0, rows.length), row_starts(1, rows.length), work.stream());
      });
    }
  }
  run_one_by_one(work, rows, [&](int64_t start, void* room, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(room, bytes, keys + start, sorted_keys + start,
                                           numbers + start, sorted_numbers + start, rows.length, 0,
                                           bits, work.stream());
  });
}

}  // namespace gpy::rt::cuda
