#pragma once

// The table's functions, a file a group. They throw Failure.

#include "runtime/cuda/sorting/table.h"

namespace gpy::rt::cuda {

class DeviceWork;

void sort(const DeviceWork& work, const Rows& rows, const void* from, void* to);
void argsort(const DeviceWork& work, const Rows& rows, const void* from, int64_t* order);

// The stable order of at least one key of `bits` bits.
template <class Key>
const Key* order_of_keys(const DeviceWork& work, int64_t count, int bits, const Key* keys,
                         Key* sorted_keys);

void mark_runs(const DeviceWork& work, DType dtype, const void* sorted, int64_t count,
               uint8_t* firsts);
void number_runs(const DeviceWork& work, const uint8_t* firsts, const int64_t* order, int64_t count,
                 int64_t* numbers);

void search(const DeviceWork& work, DType dtype, const void* sorted, int64_t length,
            const void* values, int64_t count, Side side, int64_t* positions);
void contains(const DeviceWork& work, DType dtype, const void* set, int64_t length,
              const void* values, int64_t count, bool* found);

void interpolate(const DeviceWork& work, const Knots& knots, const double* values, int64_t count,
                 double* to);

void extremes(const DeviceWork& work, const int64_t* values, int64_t count, Extremes* found);
void count_values(const DeviceWork& work, const int64_t* values, int64_t count, int64_t bins,
                  const Tally& tally);
void count_between(const DeviceWork& work, DType dtype, const void* values, int64_t count,
                   const void* edges, int64_t bins, const Tally& tally);

void combine(const DeviceWork& work, const Scattered& scattered);
// Adds floating-point numbers at positions that have a place for each; false: these are others.
bool add_in_bins(const DeviceWork& work, const Scattered& scattered);

void last_equal(const DeviceWork& work, const int64_t* positions, int64_t count, int64_t extent,
                int64_t* numbers);

void put_last(const DeviceWork& work, const int64_t* positions, int64_t count, int64_t extent,
              const void* values, int64_t size, void* to);

void count_set(const DeviceWork& work, const uint8_t* flags, int64_t count, int64_t* chosen);
void positions_set(const DeviceWork& work, const uint8_t* flags, int64_t count, int64_t* to);
void repeat(const DeviceWork& work, const void* elements, int64_t count, int64_t size,
            const int64_t* times, bool same_times, int64_t total, void* to);
void select_set(const DeviceWork& work, const uint8_t* flags, int64_t count, int64_t chosen,
                const void* elements, int64_t size, void* to);

}  // namespace gpy::rt::cuda
