#include "tests/failing/device.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#ifdef GPY_FAKE_CUDA
#include "fake_cuda.h"
#endif

#include "tests/failing/switch.h"

namespace gpy::test::failing {

#ifdef GPY_FAKE_CUDA

static const FakeCuda* fakes = nullptr;

// Loaded by its path once, the driver is found by its name as well.
bool load_fake_device() {
  void* driver = dlopen(GPY_FAKE_CUDA, RTLD_NOW | RTLD_GLOBAL);
  if (!driver) return false;
  auto controls =
      reinterpret_cast<decltype(&fake_cuda_controls)>(dlsym(driver, "fake_cuda_controls"));
  fakes = controls ? controls() : nullptr;
  setenv("GPY_CUDA_PATH", std::filesystem::path(GPY_FAKE_CUDA).parent_path().c_str(), 1);
  return fakes;
}

void arm_device(uint64_t n, bool stays) {
  constexpr int kOutOfMemory = 2, kLaunchFailed = 719;
  if (fakes) fakes->fail_any(static_cast<int>(n), stays ? kLaunchFailed : kOutOfMemory, stays);
}

uint64_t disarm_device() {
  if (!fakes) return 0;
  const int calls = fakes->calls_of_any();
  fakes->fail_any(0, 0, false);
  return static_cast<uint64_t>(calls);
}

const char* failed_call() { return fakes ? fakes->first_failed() : nullptr; }

bool may_fail_silently() {
  const char* first = failed_call();
  if (!first) return true;
  for (const char* part : {"Free", "Destroy", "Unload", "Pop", "cuMemAlloc", "cuMemHostAlloc",
                           "cuPointerGetAttribute", "Release"}) {
    if (std::strstr(first, part)) return true;
  }
  return false;
}

size_t device_memory_held() { return fakes ? fakes->memory_held() : 0; }

void forget_device() {
  if (fakes) fakes->reset();
}

#else

bool load_fake_device() { return false; }
void arm_device(uint64_t, bool) {}
uint64_t disarm_device() { return 0; }
const char* failed_call() { return nullptr; }
bool may_fail_silently() { return true; }
size_t device_memory_held() { return 0; }
void forget_device() {}

#endif

}  // namespace gpy::test::failing

// The device nodes that gpy looks for before it opens a driver are there.
extern "C" {
int __real_access(const char* path, int mode);
int __wrap_access(const char* path, int mode) {
  const bool is_node = std::strncmp(path, "/dev/nvidia", 11) == 0;
  return is_node ? 0 : __real_access(path, mode);
}
}
