#pragma once

// The table's functions, a file a group. They throw Failure.

#include "runtime/cuda/sparse/table.h"

namespace gpy::rt::cuda {

class DeviceWork;

void times_dense(const DeviceWork& work, const SparseRows& matrix, const void* dense, int64_t width,
                 void* out);

void diagonal(const DeviceWork& work, const SparseRows& matrix, int64_t k, void* out);

void measure_product(const DeviceWork& work, const SparseRows& a, const SparseRows& b,
                     ProductSize* size);
void count_product(const DeviceWork& work, const SparseRows& a, const SparseRows& b,
                   const ProductSize& size, void* indptr, int64_t* total);
void fill_product(const DeviceWork& work, const SparseRows& a, const SparseRows& b,
                  const ProductSize& size, const void* indptr, void* indices, void* data);

void turn(const DeviceWork& work, const SparseRows& matrix, void* indptr, void* indices,
          void* data);
void sort_rows(const DeviceWork& work, const SparseRows& matrix, void* indices, void* data);

void count_union(const DeviceWork& work, const SparseRows& a, const SparseRows& b, void* indptr,
                 int64_t* total);
void fill_union(const DeviceWork& work, const SparseRows& a, const SparseRows& b, void* indices,
                void* left, void* right);

}  // namespace gpy::rt::cuda
