#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>

#include "runtime/cuda/sorting/device_work.cuh"
#include "runtime/cuda/sorting/find.cuh"
#include "runtime/cuda/sorting/steps.h"

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

template <class T> struct Search {
  const T* sorted;
  int64_t length;
  const T* values;
  Side side;
  int64_t* positions;
  __device__ void operator()(int64_t i) const {
    positions[i] = find(sorted, length, values[i], side);
  }
};

template <class T> struct IsContained {
  const T* sorted;
  int64_t length;
  const T* values;
  bool* found;
  __device__ void operator()(int64_t i) const {
    const int64_t at = find(sorted, length, values[i], Side::kLeft);
    found[i] = at < length && !has_nan(values[i]) && key_of(sorted[at]) == key_of(values[i]);
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
    work.for_each(count, Search<T>{static_cast<const T*>(sorted), length,
                                   static_cast<const T*>(values), side, positions});
  });
}

void contains(const DeviceWork& work, DType dtype, const void* set, int64_t length,
              const void* values, int64_t count, bool* found) {
  with_element_type(dtype, [&](auto element) {
    using T = decltype(element);
    T* const sorted = work.room<T>(length);
    sort(work, {dtype, 1, length}, set, sorted);
    work.for_each(count, IsContained<T>{sorted, length, static_cast<const T*>(values), found});
  });
}

}  // namespace gpy::rt::cuda
