#pragma once

// What a Linalg may have beside its own interface (ask by dynamic_cast): the inverses of many small
// matrices by one routine, which is faster there than to solve for the identity.

#include <cstdint>

#include "runtime/core/dtype.h"

namespace gpy::rt {

class SmallInverses {
 public:
  virtual ~SmallInverses() = default;

  // The most rows that the routine takes.
  virtual int64_t most_rows() const = 0;
  // The inverses of `batch` n x n matrices, which are not changed; `info` is solve's. The inverse
  // of the transposed matrix is the transposed inverse: both may be row-major as well.
  virtual void inverse(DType dtype, int64_t n, const void* a, void* inverse, int64_t batch,
                       int* info) = 0;
};

}  // namespace gpy::rt
