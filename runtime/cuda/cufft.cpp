#include "runtime/cuda/cufft.h"

#include "runtime/core/error.h"
#include "runtime/cuda/libraries.h"

namespace gpy::rt::cuda {
namespace {

const char* name_of(cufftResult result) {
  switch (result) {
#define GPY_NAME(name) \
  case name: return #name;
    GPY_NAME(CUFFT_INVALID_PLAN)
    GPY_NAME(CUFFT_ALLOC_FAILED)
    GPY_NAME(CUFFT_INVALID_TYPE)
    GPY_NAME(CUFFT_INVALID_VALUE)
    GPY_NAME(CUFFT_INTERNAL_ERROR)
    GPY_NAME(CUFFT_EXEC_FAILED)
    GPY_NAME(CUFFT_SETUP_FAILED)
    GPY_NAME(CUFFT_INVALID_SIZE)
    GPY_NAME(CUFFT_UNALIGNED_DATA)
    GPY_NAME(CUFFT_INVALID_DEVICE)
    GPY_NAME(CUFFT_NO_WORKSPACE)
    GPY_NAME(CUFFT_NOT_IMPLEMENTED)
    GPY_NAME(CUFFT_NOT_SUPPORTED)
#undef GPY_NAME
    default: return "CUFFT_ERROR";
  }
}

}  // namespace

Cufft::Cufft(Context& context) {
  const int driver = context.driver().version();
  const SharedLibrary library = open_cufft(driver);
  if (!library.handle) fail(ErrorKind::kNotImplemented, "cuFFT (libcufft) was not found");
#define GPY_RESOLVE(name)                                         \
  if (!load_symbol(library.handle, #name, this->name)) {          \
    fail(ErrorKind::kNotImplemented, "this cuFFT has no " #name); \
  }
  GPY_CUFFT_FUNCTIONS(GPY_RESOLVE)
#undef GPY_RESOLVE
  // cuFFT 12 belongs to CUDA 13.
  int major = 0;
  check(cufftGetProperty(MAJOR_VERSION, &major), "cufftGetProperty");
  const std::string why = older_driver("cuFFT", major + 1, driver);
  if (!why.empty()) fail(ErrorKind::kNotImplemented, "{}", why);
}

void Cufft::check(cufftResult result, const char* call) const {
  if (result == CUFFT_SUCCESS) return;
  const bool memory = result == CUFFT_ALLOC_FAILED || result == CUFFT_NO_WORKSPACE;
  fail(memory ? ErrorKind::kMemory : ErrorKind::kRuntime, "{} ({})", name_of(result), call);
}

FftPlan::FftPlan(const Cufft& library, const Context& context, const FftShape& shape)
    : library_(library), context_(context), shape_(shape) {
  library_.check(library_.cufftCreate(&plan_), "cufftCreate");
  try {
    library_.check(library_.cufftSetAutoAllocation(plan_, 0), "cufftSetAutoAllocation");
    std::array<long long, 3> points = shape.points, embedded = shape.points;
    long long* const layout = shape.interleaved ? embedded.data() : nullptr;
    const long long stride = shape.batch, distance = 1;  // read where there is a layout
    library_.check(library_.cufftMakePlanMany64(plan_, shape.rank, points.data(), layout, stride,
                                                distance, layout, stride, distance, shape.type,
                                                shape.batch, &workspace_),
                   "cufftMakePlanMany64");
  } catch (...) {
    library_.cufftDestroy(plan_);
    throw;
  }
}

FftPlan::~FftPlan() {
  if (!context_.gone()) library_.cufftDestroy(plan_);
}

void FftPlan::prepare_run(CUstream stream, void* workspace) {
  library_.check(library_.cufftSetStream(plan_, stream), "cufftSetStream");
  library_.check(library_.cufftSetWorkArea(plan_, workspace), "cufftSetWorkArea");
}

// cuFFT declares inputs that it does not write without const.
template <class T> static T* input(const void* in) {
  return static_cast<T*>(const_cast<void*>(in));
}

void FftPlan::run(CUstream stream, void* workspace, const void* in, void* out, bool forward) {
  prepare_run(stream, workspace);
  const int sign = forward ? CUFFT_FORWARD : CUFFT_INVERSE;
  using Single = cufftComplex;
  using Double = cufftDoubleComplex;
  switch (shape_.type) {
    case CUFFT_C2C:
      return library_.check(
          library_.cufftExecC2C(plan_, input<Single>(in), static_cast<Single*>(out), sign),
          "cufftExecC2C");
    case CUFFT_Z2Z:
      return library_.check(
          library_.cufftExecZ2Z(plan_, input<Double>(in), static_cast<Double*>(out), sign),
          "cufftExecZ2Z");
    case CUFFT_R2C:
      return library_.check(
          library_.cufftExecR2C(plan_, input<cufftReal>(in), static_cast<Single*>(out)),
          "cufftExecR2C");
    default:
      return library_.check(
          library_.cufftExecD2Z(plan_, input<cufftDoubleReal>(in), static_cast<Double*>(out)),
          "cufftExecD2Z");
  }
}

void FftPlan::run_over(CUstream stream, void* workspace, void* in, void* out) {
  prepare_run(stream, workspace);
  if (shape_.type == CUFFT_C2R) {
    return library_.check(
        library_.cufftExecC2R(plan_, static_cast<cufftComplex*>(in), static_cast<cufftReal*>(out)),
        "cufftExecC2R");
  }
  library_.check(library_.cufftExecZ2D(plan_, static_cast<cufftDoubleComplex*>(in),
                                       static_cast<cufftDoubleReal*>(out)),
                 "cufftExecZ2D");
}

}  // namespace gpy::rt::cuda
