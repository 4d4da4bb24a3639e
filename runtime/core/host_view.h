#pragma once

// Elements in host memory that somebody else owns, and elements that the holder owns.

#include <cstddef>
#include <vector>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"

namespace gpy::rt {

// Strides in bytes.
struct HostView {
  DType dtype;
  Dims shape;
  Dims strides;
  const void* data;
};

// Contiguous, in C order.
struct HostArray {
  DType dtype = DType::kFloat64;
  Dims shape;
  std::vector<std::byte> data;
};

}  // namespace gpy::rt
