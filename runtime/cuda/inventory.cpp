#include "runtime/cuda/inventory.h"

#include "runtime/cuda/driver.h"
#include "runtime/cuda/libraries.h"
#include "runtime/cuda/nvrtc.h"

namespace gpy::rt {
namespace {

std::string describe_driver() {
  std::string why_not;
  const auto driver = cuda::Driver::open("", &why_not);
  if (!driver) return why_not;
  return "for CUDA " + cuda::version_text(driver->version());
}

std::string describe_nvrtc() {
  std::string why_not;
  const auto nvrtc = cuda::Nvrtc::open(0, &why_not);
  return nvrtc ? nvrtc->version() + ", " + cuda::open_nvrtc().path : why_not;
}

std::string describe_library(const cuda::SharedLibrary& library) {
  return library.handle ? library.path : "not found";
}

}  // namespace

std::vector<CudaPart> cuda_inventory() {
  return {{"driver", describe_driver()},
          {"NVRTC", describe_nvrtc()},
          {"cuBLAS", describe_library(cuda::open_cublas())},
          {"cuSOLVER", describe_library(cuda::open_cusolver())},
          {"cuFFT", describe_library(cuda::open_cufft())}};
}

int cuda_build_version() { return CUDA_VERSION; }

}  // namespace gpy::rt
