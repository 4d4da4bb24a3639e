#include "tests/fake_cuda/load.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tests/fake_cuda/fake_cuda.h"

namespace gpy::test {

#ifdef GPY_FAKE_CUDA

// Opened by its path once, the driver is found by its name as well.
const FakeCuda* load_fake_cuda() {
  void* driver = dlopen(GPY_FAKE_CUDA, RTLD_NOW | RTLD_GLOBAL);
  if (!driver) return nullptr;
  auto controls =
      reinterpret_cast<decltype(&fake_cuda_controls)>(dlsym(driver, "fake_cuda_controls"));
  setenv("GPY_CUDA_PATH", std::filesystem::path(GPY_FAKE_CUDA).parent_path().c_str(), 1);
  return controls ? controls() : nullptr;
}

#else

const FakeCuda* load_fake_cuda() { return nullptr; }

#endif

}  // namespace gpy::test

// The device nodes that gpy looks for before it opens a driver are there.
extern "C" {
int __real_access(const char* path, int mode);
int __wrap_access(const char* path, int mode) {
  const bool is_node = std::strncmp(path, "/dev/nvidia", 11) == 0;
  return is_node ? 0 : __real_access(path, mode);
}
}
