#pragma once

// What a Linalg may have beside its own interface (ask by dynamic_cast): least squares by one
// routine, which is faster there than by the singular vectors.

#include <cstdint>

#include "runtime/core/dtype.h"

namespace gpy::rt {

class LeastSquares {
 public:
  virtual ~LeastSquares() = default;

  // x where a x is nearest to b, for one matrix; the singular values up to `rcond` times the
  // largest count as 0, those above are the rank. Column-major: a (m x n) is destroyed; b has
  // max(m, n) rows and `nrhs` columns, and holds x in its first n rows. If the rank is n, the sum
  // of the squares of a column's other rows is that of its residuals. s: min(m, n) real. > 0: not
  // converged.
  virtual int least_squares(DType dtype, int64_t m, int64_t n, int64_t nrhs, void* a, void* b,
                            void* s, double rcond, int* rank) = 0;
};

}  // namespace gpy::rt
