// Stands in for the whole folder where the build has no CUDA headers.

#include "runtime/cuda/inventory.h"
#include "runtime/cuda/make_backend.h"

namespace gpy::rt {

constexpr const char* kAbsent = "this gpy was built without CUDA";

int cuda_device_count(std::string* why_none) {
  if (why_none) *why_none = kAbsent;
  return 0;
}

std::unique_ptr<Backend> make_cuda_backend(int, std::string* why_not, const Hostile&) {
  if (why_not) *why_not = kAbsent;
  return nullptr;
}

std::unique_ptr<Backend> make_cuda_backend(const std::string&, int device, std::string* why_not,
                                           const Hostile&) {
  return make_cuda_backend(device, why_not);
}

int cuda_build_version() { return 0; }

std::vector<CudaPart> cuda_inventory() { return {{"driver", kAbsent}}; }

}  // namespace gpy::rt
