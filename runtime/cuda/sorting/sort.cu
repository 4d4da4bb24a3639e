#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cub/block/block_scan.cuh>

#include "runtime/cuda/sorting/keys.cuh"
#include "runtime/cuda/sorting/sort_pairs.cuh"
#include "runtime/cuda/sorting/steps.h"

namespace gpy::rt::cuda {
namespace {

// --- floats, a row after the other ---------------------------------------------------------------

// CUB orders floats as NumPy does, except that NaNs with a sign come first.

template <class T> __device__ bool is_negative_nan(T x) {
  return has_nan(x) && bits_of(x) & kSignBit<KeyOf<T>>;
}

// Counts the NaNs with a sign in each sorted row, and notes whether any row has one.
template <class T> struct CountNegativeNans {
  int64_t length;
  const T* sorted;
  int64_t* counts;
  int* any;
  __device__ void operator()(int64_t row) const {
    const T* const first = sorted + row * length;
    int64_t low = 0, high = is_negative_nan(*first) ? length : 0;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (is_negative_nan(first[middle])) low = middle + 1;
      else high = middle;
    }
    counts[row] = low;
    if (low > 0) *any = 1;
  }
};

// Reverses the parts before and behind each row's count, then the whole: this swaps the parts.
template <class T>
__global__ void reverse(Rows rows, T* elements, const int64_t* counts, const int* any, int part) {
  if (!*any) return;
  const int64_t half = (rows.length + 1) / 2, threads = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rows.count * half;
       i += threads) {
    const int64_t row = i / half, count = counts[row];
    const int64_t begin = part == 1 ? count : 0, end = part == 0 ? count : rows.length;
    const int64_t left = begin + i % half, right = begin + end - 1 - left;
    if (count == 0 || left >= right) continue;
    T* const first = elements + row * rows.length;
    const T kept = first[left];
    first[left] = first[right];
    first[right] = kept;
  }
}

template <class T> void move_negative_nans(const DeviceWork& work, const Rows& rows, T* elements) {
  int64_t* const counts = work.room<int64_t>(rows.count);
  int* const any = work.room<int>(1);
  check(cudaMemsetAsync(any, 0, sizeof(int), work.stream()));
  work.for_each(rows.count, CountNegativeNans<T>{rows.length, elements, counts, any});
  const unsigned blocks = std::min(blocks_for(rows.count * rows.length), 1024u);
  for (int part = 0; part < 3; ++part) {
    reverse<<<blocks, kBlockThreads, 0, work.stream()>>>(rows, elements, counts, any, part);
  }
  check(cudaGetLastError());
}

// --- rows side by side ---------------------------------------------------------------------------

// The rows are sorted as keys, which do not tell zeros apart, nor NaNs.

// `differs` is set where an element differs in bits from the element of its key.
template <class T> struct ToKeys {
  const T* from;
  KeyOf<T>* keys;
  int* differs;
  __device__ void operator()(int64_t i) const {
    keys[i] = key_of(from[i]);
    if constexpr (kIsFloat<T>) {
      if (bits_of(element_of<T>(keys[i])) != bits_of(from[i])) *differs = 1;
    }
  }
};

template <class T> struct FromKeys {
  T* elements;  // hold the keys at first
  __device__ void operator()(int64_t i) const {
    KeyOf<T> key;
    memcpy(&key, elements + i, sizeof(key));
    elements[i] = element_of<T>(key);
  }
};

// Puts the elements of `key` back in their original order, where the sorted row has them.
template <class T>
__device__ void put_back(const T* from, int64_t length, KeyOf<T> key, T* sorted) {
  using Scan = cub::BlockScan<int, kBlockThreads>;
  __shared__ typename Scan::TempStorage scratch;
  int64_t low = 0, high = length;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (key_of(sorted[middle]) < key) low = middle + 1;
    else high = middle;
  }
  for (int64_t start = 0; start < length; start += kBlockThreads) {
    const int64_t i = start + threadIdx.x;
    const bool wanted = i < length && key_of(from[i]) == key;
    int before = 0, found = 0;
    Scan(scratch).ExclusiveSum(wanted, before, found);
    if (wanted) sorted[low + before] = from[i];
    low += found;
    __syncthreads();
  }
}

template <class T>
__global__ void put_back_equals(Rows rows, const T* from, T* sorted, const int* differs) {
  if (!*differs) return;
  for (int64_t row = blockIdx.x; row < rows.count; row += gridDim.x) {
    const int64_t start = row * rows.length;
    for (const KeyOf<T> key : {kSignBit<KeyOf<T>>, kNanKey<KeyOf<T>>}) {
      put_back(from + start, rows.length, key, sorted + start);
    }
  }
}

template <class T>
void sort_as_keys(const DeviceWork& work, const Rows& rows, const T* from, T* to) {
  const int64_t count = rows.count * rows.length;
  auto* const keys = work.room<KeyOf<T>>(count);
  int* const differs = work.room<int>(1);
  check(cudaMemsetAsync(differs, 0, sizeof(int), work.stream()));
  work.for_each(count, ToKeys<T>{from, keys, differs});
  sort_side_by_side(work, rows, keys, reinterpret_cast<KeyOf<T>*>(to));
  work.for_each(count, FromKeys<T>{to});
  if constexpr (kIsFloat<T>) {
    const auto blocks = static_cast<unsigned>(std::min<int64_t>(rows.count, kMostBlocks));
    put_back_equals<<<blocks, kBlockThreads, 0, work.stream()>>>(rows, from, to, differs);
    check(cudaGetLastError());
  }
}

// --- all types -----------------------------------------------------------------------------------

template <class T> struct InOrder {
  int64_t length;
  const T* from;
  const int64_t* order;
  T* to;
  __device__ void operator()(int64_t i) const { to[i] = from[i - i % length + order[i]]; }
};

// The type that CUB sorts an element as.
template <class T> struct Native { using type = T; };
template <> struct Native<TruthByte> { using type = uint8_t; };
template <> struct Native<HalfBits> { using type = __half; };
template <> struct Native<BFloatBits> { using type = __nv_bfloat16; };

template <class T>
void sort_elements(const DeviceWork& work, const Rows& rows, const T* from, T* to) {
  if constexpr (kIsComplex<T>) {
    int64_t* const order = work.room<int64_t>(rows.count * rows.length);
    argsort(work, rows, from, order);
    work.for_each(rows.count * rows.length, InOrder<T>{rows.length, from, order, to});
  } else if (!one_by_one(rows)) {
    sort_as_keys(work, rows, from, to);
  } else {
    using Sorted = typename Native<T>::type;
    sort_one_by_one(work, rows, reinterpret_cast<const Sorted*>(from),
                    reinterpret_cast<Sorted*>(to));
    if constexpr (kIsFloat<T>) move_negative_nans(work, rows, to);
  }
}

}  // namespace

void sort(const DeviceWork& work, const Rows& rows, const void* from, void* to) {
  if (rows.count == 0 || rows.length == 0) return;
  with_element_type(rows.dtype, [&](auto element) {
    using T = decltype(element);
    sort_elements(work, rows, static_cast<const T*>(from), static_cast<T*>(to));
  });
}

}  // namespace gpy::rt::cuda
