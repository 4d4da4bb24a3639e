#pragma once

// A matrix by rows on the device, the rows of its entries, and the types of both.

#include <bit>
#include <cub/device/device_scan.cuh>

#include "runtime/cuda/ahead/device_work.cuh"
#include "runtime/sparse/sparse.h"

namespace gpy::rt::cuda {

template <class V, class I> struct RowsView {
  explicit RowsView(const SparseRows& matrix)
      : rows(matrix.rows),
        columns(matrix.columns),
        entries(matrix.entries),
        indptr(static_cast<const I*>(matrix.indptr)),
        indices(static_cast<const I*>(matrix.indices)),
        data(static_cast<const V*>(matrix.data)) {}

  int64_t rows, columns, entries;
  const I* indptr;
  const I* indices;
  const V* data;
};

// Bits of numbers from 0 that are less than `end`.
inline int bits_below(int64_t end) {
  return end > 1 ? static_cast<int>(std::bit_width(static_cast<uint64_t>(end - 1))) : 1;
}

// The first of `length` sorted numbers that is not less than `value`.
template <class T> __device__ int64_t first_not_less(const T* sorted, int64_t length, T value) {
  int64_t low = 0, high = length;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
// The last of the numbers that is not greater; the first one is none.
template <class T> __device__ int64_t last_not_greater(const T* sorted, int64_t length, T value) {
  int64_t low = 0, high = length;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (sorted[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}

// The row of each entry. Neighbouring threads search along the same path.
template <class I> struct RowOfEntry {
  int64_t rows;
  const I* indptr;
  I* to;
  __device__ void operator()(int64_t entry) const {
    to[entry] = static_cast<I>(last_not_greater(indptr, rows, static_cast<I>(entry)));
  }
};
template <class V, class I> I* rows_of_entries(const DeviceWork& work, const RowsView<V, I>& a) {
  I* const to = work.room<I>(a.entries);
  work.for_each(a.entries, RowOfEntry<I>{a.rows, a.indptr, to});
  return to;
}

// numbers[i] becomes the sum of those before i.
template <class T> void sum_before(const DeviceWork& work, T* numbers, int64_t count) {
  work.run([&](void* room, size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(room, bytes, numbers, numbers, count, work.stream());
  });
}

template <class T> struct CopyLast {
  const T* from;
  int64_t* to;
  __device__ void operator()(int64_t) const { *to = static_cast<int64_t>(*from); }
};

// Calls body(I()) for the indices' type.
template <class Body> void with_index(const SparseRows& matrix, Body&& body) {
  if (matrix.index == DType::kInt32) return body(int32_t());
  body(int64_t());
}

// Calls body(V(), I()) for a V of the values' size: where values are only moved.
template <class Body> void with_bytes(const SparseRows& matrix, Body&& body) {
  with_index(matrix, [&](auto index) {
    with_bytes(item_size(matrix.dtype), [&](auto value) { body(value, index); });
  });
}

}  // namespace gpy::rt::cuda
