#pragma once

// The interface of the library of sorting kernels: one table of functions, each of which gives work
// to a stream of the current context. They return the CUDA runtime's code, 0 for success.

#include <cstddef>
#include <cstdint>

#include "runtime/sorting/sorting.h"

namespace gpy::rt::cuda {

// The stream, and a lender of device memory until the call returns; null: there is none left.
struct DeviceCall {
  void* stream;
  void* owner;
  void* (*lend)(void* owner, size_t bytes);
};

struct SortingTable {
  static constexpr int kVersion = 1;

  int version;
  // Checks that the runtime inside works with this driver.
  int (*start)();

  // The functions of `Sorting`, with device pointers only. Numbers that calls find are written to
  // memory of the device as well.
  int (*sort)(const DeviceCall& call, const Rows& rows, const void* from, void* to);
  int (*argsort)(const DeviceCall& call, const Rows& rows, const void* from, int64_t* order);
  int (*mark_runs)(const DeviceCall& call, DType dtype, const void* sorted, int64_t count,
                   uint8_t* firsts);
  int (*number_runs)(const DeviceCall& call, const uint8_t* firsts, const int64_t* order,
                     int64_t count, int64_t* numbers);
  int (*search)(const DeviceCall& call, DType dtype, const void* sorted, int64_t length,
                const void* values, int64_t count, Side side, int64_t* positions);
  int (*contains)(const DeviceCall& call, DType dtype, const void* set, int64_t length,
                  const void* values, int64_t count, bool* found);
  int (*extremes)(const DeviceCall& call, const int64_t* values, int64_t count, Extremes* found);
  int (*count_values)(const DeviceCall& call, const int64_t* values, int64_t count, int64_t bins,
                      const Tally& tally);
  int (*count_between)(const DeviceCall& call, DType dtype, const void* values, int64_t count,
                       const void* edges, int64_t bins, const Tally& tally);
  int (*combine)(const DeviceCall& call, const Scattered& scattered);
  int (*last_equal)(const DeviceCall& call, const int64_t* positions, int64_t count, int64_t extent,
                    int64_t* numbers);
  int (*count_set)(const DeviceCall& call, const uint8_t* flags, int64_t count, int64_t* chosen);
  int (*positions_set)(const DeviceCall& call, const uint8_t* flags, int64_t count, int64_t* to);
  // `times`: one number or `count`; `total` their sum.
  int (*repeat)(const DeviceCall& call, const void* elements, int64_t count, int64_t size,
                const int64_t* times, bool same_times, int64_t total, void* to);
  int (*select_set)(const DeviceCall& call, const uint8_t* flags, int64_t count, int64_t chosen,
                    const void* elements, int64_t size, void* to);
};

}  // namespace gpy::rt::cuda

extern "C" const gpy::rt::cuda::SortingTable* gpy_cuda_sorting();
