#pragma once

// The sparse family's functions in the library of kernels: those of `Sparse`, with device pointers
// only. Entries lie within their matrices, which have each entry once.

#include <cstdint>

#include "runtime/cuda/ahead/device_call.h"
#include "runtime/sparse/sparse.h"

namespace gpy::rt::cuda {

// Multiplications of a product: of the row that has the most, and of all.
struct ProductSize {
  int64_t most, all;
};

struct SparseTable {
  static constexpr int kVersion = 2;

  int version;
  int (*start)();

  int (*times_dense)(const DeviceCall& call, const SparseRows& matrix, const void* dense,
                     int64_t width, void* out);
  int (*diagonal)(const DeviceCall& call, const SparseRows& matrix, int64_t k, void* out);
  int (*measure_product)(const DeviceCall& call, const SparseRows& a, const SparseRows& b,
                         ProductSize* size);
  // `total` gets the number of entries.
  int (*count_product)(const DeviceCall& call, const SparseRows& a, const SparseRows& b,
                       const ProductSize& size, void* indptr, int64_t* total);
  int (*fill_product)(const DeviceCall& call, const SparseRows& a, const SparseRows& b,
                      const ProductSize& size, const void* indptr, void* indices, void* data);
  int (*turn)(const DeviceCall& call, const SparseRows& matrix, void* indptr, void* indices,
              void* data);
  int (*sort)(const DeviceCall& call, const SparseRows& matrix, void* indices, void* data);
  int (*count_union)(const DeviceCall& call, const SparseRows& a, const SparseRows& b, void* indptr,
                     int64_t* total);
  int (*fill_union)(const DeviceCall& call, const SparseRows& a, const SparseRows& b, void* indices,
                    void* left, void* right);
};

}  // namespace gpy::rt::cuda

extern "C" const gpy::rt::cuda::SparseTable* gpy_cuda_sparse();
