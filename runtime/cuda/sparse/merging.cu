// The places that either of two matrices has. An entry goes as far as its own and the other matrix
// have entries before it, less those that both have.
#include "runtime/cuda/sparse/rows.cuh"
#include "runtime/cuda/sparse/steps.h"

namespace gpy::rt::cuda {
namespace {

// Where an entry's place is, or would be, in the other matrix.
template <class V, class I> struct Meeting {
  RowsView<V, I> a, b;
  const I* rows;  // of the entries of a
  struct Place {
    int64_t at;
    bool met;
  };
  __device__ Place of(int64_t entry) const {
    const I row = rows[entry];
    const int64_t begin = b.indptr[row], end = b.indptr[row + 1];
    const int64_t at = begin + first_not_less(b.indices + begin, end - begin, a.indices[entry]);
    return {at, at < end && b.indices[at] == a.indices[entry]};
  }
};

template <class V, class I> struct MarkMet {
  Meeting<V, I> meeting;
  int64_t* met;
  __device__ void operator()(int64_t entry) const { met[entry] = meeting.of(entry).met; }
};

template <class I> struct EndOfRow {
  const I *first, *second;
  const int64_t* met;
  I* to;
  __device__ void operator()(int64_t row) const {
    to[row] = static_cast<I>(first[row] + second[row] - met[first[row]]);
  }
};
struct TotalOfBoth {
  int64_t both;
  const int64_t* met;
  int64_t* to;
  __device__ void operator()(int64_t) const { *to = both - *met; }
};

template <class V, class I> struct Places {
  I* indices;
  V *own, *other;
};
template <class V, class I> struct PlaceFirst {
  Meeting<V, I> meeting;
  const int64_t* met;
  Places<V, I> to;
  __device__ void operator()(int64_t entry) const {
    const auto place = meeting.of(entry);
    const int64_t at = entry + place.at - met[entry];
    to.indices[at] = meeting.a.indices[entry];
    to.own[at] = meeting.a.data[entry];
    to.other[at] = place.met ? meeting.b.data[place.at] : V();
  }
};
// Those of the second that the first one lacks; `met` counts by the first's entries.
template <class V, class I> struct PlaceSecond {
  Meeting<V, I> meeting;  // of the second with the first
  const int64_t* met;
  Places<V, I> to;
  __device__ void operator()(int64_t entry) const {
    const auto place = meeting.of(entry);
    if (place.met) return;
    const int64_t at = entry + place.at - met[place.at];
    to.indices[at] = meeting.a.indices[entry];
    to.own[at] = meeting.a.data[entry];
    to.other[at] = V();
  }
};

// For each entry of the meeting's first matrix, and behind the last one, how many before are met.
template <class V, class I>
const int64_t* met_before(const DeviceWork& work, const Meeting<V, I>& meeting) {
  const int64_t entries = meeting.a.entries;
  int64_t* const met = work.room<int64_t>(entries + 1);
  check(cudaMemsetAsync(met + entries, 0, sizeof(int64_t), work.stream()));
  work.for_each(entries, MarkMet<V, I>{meeting, met});
  sum_before(work, met, entries + 1);
  return met;
}

}  // namespace

void count_union(const DeviceWork& work, const SparseRows& a, const SparseRows& b, void* indptr,
                 int64_t* total) {
  with_index(a, [&](auto index) {
    using I = decltype(index);
    const RowsView<uint8_t, I> first(a), second(b);
    const int64_t* const met =
        met_before(work, Meeting<uint8_t, I>{first, second, rows_of_entries(work, first)});
    work.for_each(a.rows + 1,
                  EndOfRow<I>{first.indptr, second.indptr, met, static_cast<I*>(indptr)});
    work.for_each(1, TotalOfBoth{a.entries + b.entries, met + a.entries, total});
  });
}

void fill_union(const DeviceWork& work, const SparseRows& a, const SparseRows& b, void* indices,
                void* left, void* right) {
  with_bytes(a, [&](auto value, auto index) {
    using V = decltype(value);
    using I = decltype(index);
    const RowsView<V, I> first(a), second(b);
    const Meeting<V, I> meeting{first, second, rows_of_entries(work, first)};
    const int64_t* const met = met_before(work, meeting);
    I* const places = static_cast<I*>(indices);
    V *const lefts = static_cast<V*>(left), *const rights = static_cast<V*>(right);
    work.for_each(a.entries, PlaceFirst<V, I>{meeting, met, {places, lefts, rights}});
    const Meeting<V, I> back{second, first, rows_of_entries(work, second)};
    work.for_each(b.entries, PlaceSecond<V, I>{back, met, {places, rights, lefts}});
  });
}

}  // namespace gpy::rt::cuda
