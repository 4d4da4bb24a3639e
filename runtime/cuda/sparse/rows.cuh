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

struct Greater {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

// numbers[i] becomes the greatest of those up to i.
template <class T> void greatest_up_to(const DeviceWork& work, T* numbers, int64_t count) {
  work.run([&](void* room, size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(room, bytes, numbers, numbers, Greater(), count,
                                          work.stream());
  });
}

// The row of each entry: noted where a row begins, and kept up to where the next one does.
template <class I> struct NoteRow {
  const I* indptr;
  I* to;
  __device__ void operator()(int64_t row) const {
    if (indptr[row] < indptr[row + 1]) to[indptr[row]] = static_cast<I>(row);
  }
};
template <class V, class I> I* rows_of_entries(const DeviceWork& work, const RowsView<V, I>& a) {
  I* const to = work.room<I>(a.entries);
  if (a.entries == 0) return to;
  check(cudaMemsetAsync(to, 0, a.entries * sizeof(I), work.stream()));
  work.for_each(a.rows, NoteRow<I>{a.indptr, to});
  greatest_up_to(work, to, a.entries);
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
