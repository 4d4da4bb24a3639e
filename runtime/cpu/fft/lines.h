#pragma once

// Transforms along one axis by one thread, compiled once per instruction set.

#include <cstdint>

#include "runtime/fft/fft.h"

namespace gpy::rt {

// The part of a work along `axis` that has these extents.
struct FftLines {
  FftKind kind;
  DType dtype;
  int axis;
  bool forward;
  double factor;
  const Dims& shape;
  const Dims& in_strides;  // bytes
  const Dims& out_strides;
};

using RunLines = void(const FftLines& lines, const void* in, void* out);
RunLines run_lines_base, run_lines_avx2;

}  // namespace gpy::rt
