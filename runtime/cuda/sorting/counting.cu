#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>

#include "runtime/cuda/ahead/device_work.cuh"
#include "runtime/cuda/sorting/find.cuh"
#include "runtime/cuda/sorting/steps.h"

namespace gpy::rt::cuda {
namespace {

struct OneValue {
  __host__ __device__ Extremes operator()(int64_t value) const { return {value, value}; }
};
struct BothRanges {
  __host__ __device__ Extremes operator()(const Extremes& a, const Extremes& b) const {
    return {a.least < b.least ? a.least : b.least,
            a.greatest > b.greatest ? a.greatest : b.greatest};
  }
};

// --- the bin of element i ------------------------------------------------------------------------

constexpr int64_t kOutside = -1;

struct BinOfValue {
  const int64_t* values;
  __device__ int64_t operator()(int64_t i) const { return values[i]; }
};

template <class T> struct BinBetween {
  const T *values, *edges;
  int64_t bins;
  __device__ int64_t operator()(int64_t i) const {
    const T value = values[i];
    const int64_t bin = find(edges, bins + 1, value, Side::kRight) - 1;
    if (bin < bins) return bin;  // kOutside before the first edge
    return !has_nan(value) && key_of(value) == key_of(edges[bins]) ? bins - 1 : kOutside;
  }
};

// --- counts --------------------------------------------------------------------------------------

template <class BinOf>
__global__ void count_in_blocks(int64_t count, BinOf bin_of, int64_t bins,
                                unsigned long long* totals) {
  extern __shared__ unsigned counts[];
  for (int64_t bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const int64_t threads = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) {
    const int64_t bin = bin_of(i);
    if (bin != kOutside) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  for (int64_t bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&totals[bin], static_cast<unsigned long long>(counts[bin]));
  }
}

template <class BinOf> struct CountOne {
  BinOf bin_of;
  unsigned long long* totals;
  __device__ void operator()(int64_t i) const {
    const int64_t bin = bin_of(i);
    if (bin != kOutside) atomicAdd(&totals[bin], 1ull);
  }
};

template <class BinOf>
void write_counts(const DeviceWork& work, int64_t count, const BinOf& bin_of, int64_t bins,
                  void* to) {
  auto* const totals = static_cast<unsigned long long*>(to);
  check(cudaMemsetAsync(totals, 0, bins * sizeof(*totals), work.stream()));
  // Counts of 32 bits in a block might overflow for longer arrays: these use global atomics.
  if (bins > kBinsOfBlock || count > INT64_C(0xffffffff)) {
    return work.for_each(count, CountOne<BinOf>{bin_of, totals});
  }
  if (count == 0) return;
  const unsigned blocks = blocks_on_device(count);
  count_in_blocks<<<blocks, kBlockThreads, bins * sizeof(unsigned), work.stream()>>>(count, bin_of,
                                                                                     bins, totals);
  check(cudaGetLastError());
}

// --- sums of weights -----------------------------------------------------------------------------

template <class BinOf> struct PositionOfBin {
  BinOf bin_of;
  int64_t outside;
  int64_t* positions;
  __device__ void operator()(int64_t i) const {
    const int64_t bin = bin_of(i);
    positions[i] = bin == kOutside ? outside : bin;
  }
};

void write_sums(const DeviceWork& work, int64_t count, const BinOfValue& bin_of, int64_t bins,
                const double* weights, void* totals) {
  check(cudaMemsetAsync(totals, 0, bins * sizeof(double), work.stream()));
  combine(work,
          {DType::kFloat64, Combine::kAdd, bin_of.values, count, weights, false, bins, totals});
}

// Values outside go to one additional bin, which is dropped.
template <class BinOf>
void write_sums(const DeviceWork& work, int64_t count, const BinOf& bin_of, int64_t bins,
                const double* weights, void* totals) {
  int64_t* const positions = work.room<int64_t>(count);
  double* const sums = work.room<double>(bins + 1);
  work.for_each(count, PositionOfBin<BinOf>{bin_of, bins, positions});
  check(cudaMemsetAsync(sums, 0, (bins + 1) * sizeof(double), work.stream()));
  combine(work, {DType::kFloat64, Combine::kAdd, positions, count, weights, false, bins + 1, sums});
  check(cudaMemcpyAsync(totals, sums, bins * sizeof(double), cudaMemcpyDeviceToDevice,
                        work.stream()));
}

template <class BinOf>
void tally_up(const DeviceWork& work, int64_t count, const BinOf& bin_of, int64_t bins,
              const Tally& tally) {
  if (!tally.weights) return write_counts(work, count, bin_of, bins, tally.totals);
  write_sums(work, count, bin_of, bins, tally.weights, tally.totals);
}

}  // namespace

void extremes(const DeviceWork& work, const int64_t* values, int64_t count, Extremes* found) {
  work.run([&](void* room, size_t& bytes) {
    return cub::DeviceReduce::Reduce(
        room, bytes, thrust::make_transform_iterator(values, OneValue()), found, count,
        BothRanges(), Extremes{INT64_MAX, INT64_MIN}, work.stream());
  });
}

void count_values(const DeviceWork& work, const int64_t* values, int64_t count, int64_t bins,
                  const Tally& tally) {
  tally_up(work, count, BinOfValue{values}, bins, tally);
}

void count_between(const DeviceWork& work, DType dtype, const void* values, int64_t count,
                   const void* edges, int64_t bins, const Tally& tally) {
  with_element_type(dtype, [&](auto element) {
    using T = decltype(element);
    tally_up(work, count,
             BinBetween<T>{static_cast<const T*>(values), static_cast<const T*>(edges), bins}, bins,
             tally);
  });
}

}  // namespace gpy::rt::cuda
