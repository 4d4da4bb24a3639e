// Orders of entries: each takes its key's place in a stable radix sort.
#include "runtime/cuda/sorting/steps.h"
#include "runtime/cuda/sparse/rows.cuh"
#include "runtime/cuda/sparse/steps.h"

namespace gpy::rt::cuda {
namespace {

template <class Key, class I> struct KeyOfColumn {
  const I* indices;
  Key* keys;
  __device__ void operator()(int64_t i) const { keys[i] = static_cast<Key>(indices[i]); }
};
template <class Key, class I> struct KeyOfPlace {
  const I *rows, *indices;
  int column_bits;
  Key* keys;
  __device__ void operator()(int64_t i) const {
    keys[i] = static_cast<Key>(rows[i]) << column_bits | static_cast<Key>(indices[i]);
  }
};
template <class Key, class I> struct KeyOfRowInOrder {
  const I* rows;
  const Key* order;
  Key* keys;
  __device__ void operator()(int64_t i) const { keys[i] = static_cast<Key>(rows[order[i]]); }
};
template <class Key> struct OrderInOrder {
  const Key *first, *second;
  Key* to;
  __device__ void operator()(int64_t i) const { to[i] = first[second[i]]; }
};

template <class Key, class V, class I> struct TakeInOrder {
  const Key* order;
  const I* places;
  const V* data;
  I* new_places;
  V* new_data;
  __device__ void operator()(int64_t i) const {
    const Key entry = order[i];
    new_places[i] = places[entry];
    new_data[i] = data[entry];
  }
};

// Where the entries of a column end: noted after its last one, and kept for the columns behind that
// have none.
template <class Key, class I> struct NoteEnd {
  const Key* sorted;
  int64_t entries;
  I* indptr;
  __device__ void operator()(int64_t i) const {
    const Key column = sorted[i];
    if (i + 1 == entries || sorted[i + 1] != column) indptr[column + 1] = static_cast<I>(i + 1);
  }
};

// The columns of all entries as keys, which they are as they lie if they have a key's size.
template <class Key, class V, class I>
const Key* keys_of_columns(const DeviceWork& work, const RowsView<V, I>& a) {
  if constexpr (sizeof(Key) == sizeof(I)) {
    return reinterpret_cast<const Key*>(a.indices);
  } else {
    Key* const keys = work.room<Key>(a.entries);
    work.for_each(a.entries, KeyOfColumn<Key, I>{a.indices, keys});
    return keys;
  }
}

template <class Key, class V, class I>
void turn_by(const DeviceWork& work, const RowsView<V, I>& a, I* indptr, I* indices, V* data) {
  check(cudaMemsetAsync(indptr, 0, (a.columns + 1) * sizeof(I), work.stream()));
  if (a.entries == 0) return;
  Key* const sorted = work.room<Key>(a.entries);
  const Key* const order =
      order_of_keys(work, a.entries, bits_below(a.columns), keys_of_columns<Key>(work, a), sorted);
  const I* const rows = rows_of_entries(work, a);
  work.for_each(a.entries, TakeInOrder<Key, V, I>{order, rows, a.data, indices, data});
  work.for_each(a.entries, NoteEnd<Key, I>{sorted, a.entries, indptr});
  greatest_up_to(work, indptr, a.columns + 1);
}

// The order of entries by rows and columns.
template <class Key, class V, class I>
const Key* order_of_places(const DeviceWork& work, const RowsView<V, I>& a) {
  Key *const keys = work.room<Key>(a.entries), *const sorted = work.room<Key>(a.entries);
  const I* const rows = rows_of_entries(work, a);
  const int column_bits = bits_below(a.columns), row_bits = bits_below(a.rows);
  if (row_bits + column_bits <= static_cast<int>(8 * sizeof(Key))) {
    work.for_each(a.entries, KeyOfPlace<Key, I>{rows, a.indices, column_bits, keys});
    return order_of_keys(work, a.entries, row_bits + column_bits, keys, sorted);
  }
  const Key* const first =
      order_of_keys(work, a.entries, column_bits, keys_of_columns<Key>(work, a), sorted);
  work.for_each(a.entries, KeyOfRowInOrder<Key, I>{rows, first, keys});
  const Key* const second = order_of_keys(work, a.entries, row_bits, keys, sorted);
  Key* const order = work.room<Key>(a.entries);
  work.for_each(a.entries, OrderInOrder<Key>{first, second, order});
  return order;
}

template <class Key, class V, class I>
void sort_by(const DeviceWork& work, const RowsView<V, I>& a, I* indices, V* data) {
  const Key* const order = order_of_places<Key>(work, a);
  work.for_each(a.entries, TakeInOrder<Key, V, I>{order, a.indices, a.data, indices, data});
}

constexpr int64_t kShortKeys = INT64_C(0xffffffff);

}  // namespace

void turn(const DeviceWork& work, const SparseRows& matrix, void* indptr, void* indices,
          void* data) {
  with_bytes(matrix, [&](auto value, auto index) {
    using V = decltype(value);
    using I = decltype(index);
    const RowsView<V, I> a(matrix);
    I *const ends = static_cast<I*>(indptr), *const places = static_cast<I*>(indices);
    V* const values = static_cast<V*>(data);
    if (a.entries <= kShortKeys && a.columns < kShortKeys) {
      turn_by<uint32_t>(work, a, ends, places, values);
    } else {
      turn_by<uint64_t>(work, a, ends, places, values);
    }
  });
}

void sort_rows(const DeviceWork& work, const SparseRows& matrix, void* indices, void* data) {
  if (matrix.entries == 0) return;
  with_bytes(matrix, [&](auto value, auto index) {
    using V = decltype(value);
    using I = decltype(index);
    const RowsView<V, I> a(matrix);
    I* const places = static_cast<I*>(indices);
    V* const values = static_cast<V*>(data);
    const bool is_short = bits_below(a.rows) + bits_below(a.columns) <= 32;
    if (is_short && a.entries <= kShortKeys) sort_by<uint32_t>(work, a, places, values);
    else sort_by<uint64_t>(work, a, places, values);
  });
}

}  // namespace gpy::rt::cuda
