#pragma once

// Discrete Fourier transforms in a backend's memory, as backends may offer them. The forward
// transform of n points is y[k] = sum over j of x[j] exp(-2 pi i j k / n); backward has +.

#include <functional>
#include <vector>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"

namespace gpy::rt {

enum class FftKind : uint8_t {
  kComplex,     // complex to complex
  kRealToHalf,  // n real points to the first n / 2 + 1 of their transform
  kHalfToReal,  // and back, of which the rest is taken to be the conjugate
};

struct FftWork {
  FftKind kind = FftKind::kComplex;
  DType dtype;                   // of real and imaginary parts: float32 or float64
  Dims shape;                    // the points: n along a halved axis
  std::vector<int> axes;         // those transformed, none twice; the last one is the halved one
  bool forward = true;           // real to half is forward, half to real backward
  double factor = 1;             // the results are multiplied by it
  Dims in_strides, out_strides;  // bytes
  bool dense = false;            // both sides are in C order
};

class Fft {
 public:
  virtual ~Fft() = default;
  // Whether it multiplies by a factor that is not 1.
  virtual bool scales() const = 0;
  // Whether it can do a work as it is. It takes every dense one along the last axis of the shape,
  // and complex ones along the last axes, up to kMostAxes, in order.
  virtual bool takes(const FftWork& work) const = 0;
  static constexpr size_t kMostAxes = 3;
  // Whether it takes several axes of a kind with a halved one.
  virtual bool takes_half_along_many(FftKind kind) const = 0;
  // Each extent is at least 1, and all elements begin at multiples of their size; `out` does not
  // overlap `in`. Workspaces come from the backend. May throw kInterrupt; `out` is then undefined.
  virtual void run(const FftWork& work, const void* in, void* out) = 0;
  // The same run as a part of a graph, which owns all that it needs but the memory.
  virtual std::function<void()> as_part(const FftWork& work, const void* in, void* out) {
    return [this, work, in, out] { run(work, in, out); };
  }
};

}  // namespace gpy::rt
