// Stands in for the whole folder where the build has no CUDA headers.

#include "runtime/cuda/inventory.h"
#include "runtime/cuda/make_backend.h"

namespace gpy::rt {

int cuda_device_count() { return 0; }

std::unique_ptr<Backend> make_cuda_backend(int, std::string* why_not) {
  if (why_not) *why_not = "this gpy was built without CUDA";
  return nullptr;
}

std::unique_ptr<Backend> make_cuda_backend(const std::string&, int device, std::string* why_not) {
  return make_cuda_backend(device, why_not);
}

std::vector<CudaPart> cuda_inventory() { return {{"driver", "this gpy was built without CUDA"}}; }
std::string kernel_cache_folder() { return ""; }

}  // namespace gpy::rt
