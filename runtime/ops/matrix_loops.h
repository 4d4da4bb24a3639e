#pragma once

// Products of small or odd-typed matrices, without a library.

#include <cstdint>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// c (m x n) = a (m x k) @ b (k x n); strides in elements, columns of b and c side by side. Each
// element is summed in the order of k, float16 in float32.
using MatrixLoop = void (*)(const void* a, int64_t a_row, int64_t a_column, const void* b,
                            int64_t b_row, void* c, int64_t c_row, int64_t m, int64_t n, int64_t k);

MatrixLoop matrix_loop(DType dtype);

}  // namespace gpy::rt
