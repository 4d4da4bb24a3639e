#pragma once

// The sort family's functions in the library of kernels.

#include <cstdint>

#include "runtime/cuda/ahead/device_call.h"
#include "runtime/sorting/sorting.h"

namespace gpy::rt::cuda {

struct SortingTable {
  static constexpr int kVersion = 2;

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
  int (*interpolate)(const DeviceCall& call, const Knots& knots, const double* values,
                     int64_t count, double* to);
  int (*extremes)(const DeviceCall& call, const int64_t* values, int64_t count, Extremes* found);
  int (*count_values)(const DeviceCall& call, const int64_t* values, int64_t count, int64_t bins,
                      const Tally& tally);
  int (*count_between)(const DeviceCall& call, DType dtype, const void* values, int64_t count,
                       const void* edges, int64_t bins, const Tally& tally);
  int (*combine)(const DeviceCall& call, const Scattered& scattered);
  int (*last_equal)(const DeviceCall& call, const int64_t* positions, int64_t count, int64_t extent,
                    int64_t* numbers);
  int (*put_last)(const DeviceCall& call, const int64_t* positions, int64_t count, int64_t extent,
                  const void* values, int64_t size, void* to);
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
