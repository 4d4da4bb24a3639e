#pragma once

// Discrete Fourier transforms, in the place of the array, or by way of the host where that has
// none.

#include <span>

#include "runtime/fft/fft.h"
#include "runtime/session.h"

namespace gpy::rt {

struct Transform {
  FftKind kind = FftKind::kComplex;
  std::vector<int> axes;  // those transformed, at least one and none twice; the last is halved
  int64_t points = 0;     // half to real: how many real points come out
  bool forward = true;
  double factor = 1;  // the result is multiplied by it
};

// A new array: complex64 or complex128, or the floats of that precision for half to real. Whatever
// is not float16, float32, bfloat16 or complex64 is computed in double precision. Every transformed
// axis has at least one point.
Array transform(Session& session, const Array& array, const Transform& transform);

}  // namespace gpy::rt
