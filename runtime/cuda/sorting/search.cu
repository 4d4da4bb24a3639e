#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>

#include "runtime/cuda/ahead/device_work.cuh"
#include "runtime/cuda/sorting/find.cuh"
#include "runtime/cuda/sorting/steps.h"
#include "runtime/sorting/interpolation.h"

namespace gpy::rt::cuda {
namespace {

template <class T> struct MarkRun {
  const T* sorted;
  uint8_t* firsts;
  __device__ void operator()(int64_t i) const {
    firsts[i] = i == 0 || differ(sorted[i - 1], sorted[i]);
  }
  __device__ static bool differ(T a, T b) {
    if (kIsComplex<T> && has_nan(a) && has_nan(b)) return false;
    return !(key_of(a) == key_of(b));
  }
};

struct IsSet {
  __host__ __device__ int64_t operator()(uint8_t flag) const { return flag != 0; }
};

struct NumberRun {
  const int64_t *runs, *order;
  int64_t* numbers;
  __device__ void operator()(int64_t i) const { numbers[order[i]] = runs[i] - 1; }
};

// --- search --------------------------------------------------------------------------------------

template <class T> using KeyType = decltype(key_of(T()));

// Sorted elements that a block keeps as keys of its own.
constexpr int64_t kBytesOfBlock = 32 * 1024;

template <class T, class Then>
__global__ void search_in_blocks(const T* sorted, int length, const T* values, int64_t count,
                                 Side side, Then then) {
  extern __shared__ char shared[];
  auto* const keys = reinterpret_cast<KeyType<T>*>(shared);
  for (int i = static_cast<int>(threadIdx.x); i < length; i += blockDim.x) {
    keys[i] = key_of(sorted[i]);
  }
  __syncthreads();
  const int64_t threads = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) {
    const T value = values[i];
    then(i, value, find_key<int>([&](int at) { return keys[at]; }, length, key_of(value), side));
  }
}

template <class T, class Then> struct Search {
  const T* sorted;
  int64_t length;
  const T* values;
  Side side;
  Then then;
  __device__ void operator()(int64_t i) const {
    const T value = values[i];
    then(i, value, find(sorted, length, value, side));
  }
};

// Calls then(i, value, position) for each value.
template <class T, class Then>
void search_all(const DeviceWork& work, const T* sorted, int64_t length, const T* values,
                int64_t count, Side side, const Then& then) {
  const int64_t bytes = length * static_cast<int64_t>(sizeof(KeyType<T>));
  if (bytes > kBytesOfBlock || count < 8 * length) {
    return work.for_each(count, Search<T, Then>{sorted, length, values, side, then});
  }
  if (count == 0) return;
  search_in_blocks<<<blocks_on_device(count), kBlockThreads, bytes, work.stream()>>>(
      sorted, static_cast<int>(length), values, count, side, then);
  check(cudaGetLastError());
}

struct WritePosition {
  int64_t* positions;
  template <class T> __device__ void operator()(int64_t i, T, int64_t at) const {
    positions[i] = at;
  }
};

template <class T> struct WriteContained {
  const T* sorted;
  int64_t length;
  bool* found;
  __device__ void operator()(int64_t i, T value, int64_t at) const {
    found[i] = at < length && !has_nan(value) && key_of(sorted[at]) == key_of(value);
  }
};

struct WriteInterpolated {
  Knots knots;
  double* to;
  __device__ void operator()(int64_t i, double x, int64_t behind) const {
    to[i] = interpolated(x, behind, knots);
  }
};

}  // namespace

void mark_runs(const DeviceWork& work, DType dtype, const void* sorted, int64_t count,
               uint8_t* firsts) {
  with_element_type(dtype, [&](auto element) {
    using T = decltype(element);
    work.for_each(count, MarkRun<T>{static_cast<const T*>(sorted), firsts});
  });
}

void number_runs(const DeviceWork& work, const uint8_t* firsts, const int64_t* order, int64_t count,
                 int64_t* numbers) {
  if (count == 0) return;
  int64_t* const runs = work.room<int64_t>(count);
  work.run([&](void* room, size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(
        room, bytes, thrust::make_transform_iterator(firsts, IsSet()), runs, count, work.stream());
  });
  work.for_each(count, NumberRun{runs, order, numbers});
}

void search(const DeviceWork& work, DType dtype, const void* sorted, int64_t length,
            const void* values, int64_t count, Side side, int64_t* positions) {
  with_element_type(dtype, [&](auto element) {
    using T = decltype(element);
    search_all(work, static_cast<const T*>(sorted), length, static_cast<const T*>(values), count,
               side, WritePosition{positions});
  });
}

void contains(const DeviceWork& work, DType dtype, const void* set, int64_t length,
              const void* values, int64_t count, bool* found) {
  with_element_type(dtype, [&](auto element) {
    using T = decltype(element);
    T* const sorted = work.room<T>(length);
    sort(work, {dtype, 1, length}, set, sorted);
    search_all(work, sorted, length, static_cast<const T*>(values), count, Side::kLeft,
               WriteContained<T>{sorted, length, found});
  });
}

void interpolate(const DeviceWork& work, const Knots& knots, const double* values, int64_t count,
                 double* to) {
  search_all(work, knots.x, knots.count, values, count, Side::kRight, WriteInterpolated{knots, to});
}

}  // namespace gpy::rt::cuda
