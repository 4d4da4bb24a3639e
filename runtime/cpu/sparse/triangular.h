#pragma once

// Solution for a triangular matrix by rows, a row after another.

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sparse/products.h"

namespace gpy::rt {

template <class T, class I>
void solve_triangular_rows(const SparseRows& matrix, bool lower, bool unit, int64_t width, T* x) {
  const Rows<T, I> rows(matrix);
  for (int64_t step = 0; step < matrix.rows; ++step) {
    if (step % (16 * 1024) == 0) poll_interrupt();
    const int64_t row = lower ? step : matrix.rows - 1 - step;
    T* line = x + row * width;
    T diagonal = T();
    rows.each(row, [&](int64_t column, T value) {
      if (column == row) diagonal += value;
      if (lower ? column >= row : column <= row) return;
      const T* known = x + column * width;
      for (int64_t i = 0; i < width; ++i) add_product(line[i], -value, known[i]);
    });
    if (unit) continue;
    for (int64_t i = 0; i < width; ++i) line[i] /= diagonal;
  }
}

}  // namespace gpy::rt
