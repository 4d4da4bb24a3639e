#pragma once

// Launches of the kernels of this folder, and their workspaces.

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "runtime/cuda/ahead/device_call.h"

namespace gpy::rt::cuda {

struct Failure {
  cudaError_t code;
};

inline void check(cudaError_t code) {
  if (code != cudaSuccess) throw Failure{code};
}

// One call of the table: its stream and its workspaces.
class DeviceWork {
 public:
  explicit DeviceWork(const DeviceCall& call) : call_(call) {}

  cudaStream_t stream() const { return static_cast<cudaStream_t>(call_.stream); }

  // Memory for `count` elements, until the call returns.
  template <class T> T* room(int64_t count) const {
    void* memory = call_.lend(call_.owner, std::max<size_t>(count * sizeof(T), 1));
    if (!memory) throw Failure{cudaErrorMemoryAllocation};
    return static_cast<T*>(memory);
  }

  // Runs one of CUB's algorithms, run(workspace, bytes), which first tells the bytes that it needs.
  template <class Run> void run(Run&& run) const {
    size_t bytes = 0;
    check(run(nullptr, bytes));
    check(run(room<char>(static_cast<int64_t>(bytes)), bytes));
  }

  // Runs step(i) for each i below `count`, a thread each.
  template <class Step> void for_each(int64_t count, const Step& step) const;
  // The same for steps that may turn out to be for nothing: in no more threads than run together.
  template <class Step> void for_each_if_need_be(int64_t count, const Step& step) const;
  // Runs a kernel whose threads wait for each other, in as many as run together at most, or a
  // thread for each of `count`.
  template <class... Given, class... Args>
  void run_together(void (*kernel)(Given...), int64_t count, Args... args) const;

 private:
  template <class Step> void launch(unsigned blocks, int64_t count, const Step& step) const;

  const DeviceCall& call_;
};

template <class Step> __global__ void run_steps(int64_t count, Step step) {
  const int64_t threads = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) step(i);
}

// Calls body(V()) for a V of the size: where values are only moved.
struct SixteenBytes {
  uint64_t first, second;
};
template <class Body> void with_bytes(int64_t size, Body&& body) {
  switch (size) {
    case 1: return body(uint8_t());
    case 2: return body(uint16_t());
    case 4: return body(uint32_t());
    case 8: return body(uint64_t());
    default: return body(SixteenBytes());
  }
}

inline constexpr int kBlockThreads = 256;
inline constexpr int64_t kMostBlocks = 1 << 20;

inline unsigned blocks_for(int64_t threads) {
  return static_cast<unsigned>(
      std::min((threads + kBlockThreads - 1) / kBlockThreads, kMostBlocks));
}

// Of kernels whose blocks prepare memory of their own: as many as run together on a large device.
inline unsigned blocks_on_device(int64_t threads) {
  return std::min(blocks_for(threads), 8 * 132u);
}

// Up to this many bins a block has counters of 4 bytes of its own.
inline constexpr int64_t kBinsOfBlock = 8192;

template <class Step>
void DeviceWork::launch(unsigned blocks, int64_t count, const Step& step) const {
  if (count == 0) return;
  run_steps<<<blocks, kBlockThreads, 0, stream()>>>(count, step);
  check(cudaGetLastError());
}

template <class Step> void DeviceWork::for_each(int64_t count, const Step& step) const {
  launch(blocks_for(count), count, step);
}

template <class Step> void DeviceWork::for_each_if_need_be(int64_t count, const Step& step) const {
  launch(blocks_on_device(count), count, step);
}

template <class... Given, class... Args>
void DeviceWork::run_together(void (*kernel)(Given...), int64_t count, Args... args) const {
  int device = 0, processors = 0, blocks = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kBlockThreads, 0));
  const unsigned most = static_cast<unsigned>(blocks) * static_cast<unsigned>(processors);
  std::tuple<Given...> given(args...);
  std::apply(
      [&](auto&... each) {
        void* addresses[] = {&each...};
        check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel),
                                          std::min(blocks_for(count), most), kBlockThreads,
                                          addresses, 0, stream()));
      },
      given);
}

}  // namespace gpy::rt::cuda
