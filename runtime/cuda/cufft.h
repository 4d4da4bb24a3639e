#pragma once

// The part of cuFFT that gpy uses, and its plans.

#include <cufft.h>

#include <array>
#include <utility>

#include "runtime/cuda/context.h"

namespace gpy::rt::cuda {

class Cufft {
 public:
  // Throws kNotImplemented where the library is not found, or is too new for the driver.
  explicit Cufft(Context& context);

  void check(cufftResult result, const char* call) const;

// clang-format off
#define GPY_CUFFT_FUNCTIONS(X)  \
  X(cufftCreate)                \
  X(cufftDestroy)               \
  X(cufftGetProperty)           \
  X(cufftSetAutoAllocation)     \
  X(cufftSetWorkArea)           \
  X(cufftSetStream)             \
  X(cufftMakePlanMany64)        \
  X(cufftExecC2C)               \
  X(cufftExecZ2Z)               \
  X(cufftExecR2C)               \
  X(cufftExecD2Z)               \
  X(cufftExecC2R)               \
  X(cufftExecZ2D)
// clang-format on
#define GPY_DECLARE(name) decltype(&::name) name = nullptr;
  GPY_CUFFT_FUNCTIONS(GPY_DECLARE)
#undef GPY_DECLARE
};

// Many transforms of one shape, in C order on both sides: one after the other, or, complex to
// complex, interleaved.
struct FftShape {
  cufftType type = CUFFT_Z2Z;
  int rank = 1;
  std::array<long long, 3> points{};
  long long batch = 1;
  bool interleaved = false;  // point i of all of them, then point i + 1 of all
  bool operator==(const FftShape&) const = default;
};

// A plan of cuFFT. Its workspace is the caller's at each run.
class FftPlan {
 public:
  FftPlan(const Cufft& library, const Context& context, const FftShape& shape);
  ~FftPlan();
  FftPlan(const FftPlan&) = delete;
  FftPlan& operator=(const FftPlan&) = delete;

  const FftShape& shape() const { return shape_; }
  size_t workspace() const { return workspace_; }
  // On `stream`, with workspace() bytes. run_over is for complex to real, which may overwrite `in`.
  void run(CUstream stream, void* workspace, const void* in, void* out, bool forward);
  void run_over(CUstream stream, void* workspace, void* in, void* out);

 private:
  void prepare_run(CUstream stream, void* workspace);

  const Cufft& library_;
  const Context& context_;
  const FftShape shape_;
  cufftHandle plan_ = 0;
  size_t workspace_ = 0;
};

}  // namespace gpy::rt::cuda
