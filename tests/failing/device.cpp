#include "tests/failing/device.h"

#include <cstring>

#include "tests/fake_cuda/fake_cuda.h"
#include "tests/fake_cuda/load.h"
#include "tests/failing/switch.h"

namespace gpy::test::failing {

static const FakeCuda* fakes = nullptr;

bool load_fake_device() {
  fakes = load_fake_cuda();
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
  // Freeing memory also asks for the current context and enters it. If the device cannot wait for a
  // queue that ends, the host waits; a texture that ends waits for the device. A family of kernels
  // that does not start is done by the host.
  for (const char* part :
       {"Free", "Destroy", "Unload", "Pop", "cuMemAlloc", "cuMemHostAlloc", "cuDriverGetVersion",
        "cuPointerGetAttribute", "Release", "cuCtxGetCurrent", "cuCtxPushCurrent", "cuEventCreate",
        "cuEventRecord", "cuStreamWaitEvent", "cuMemHostRegister", "cuCtxSynchronize",
        "sorting start", "sparse start"}) {
    if (std::strstr(first, part)) return true;
  }
  return false;
}

size_t device_memory_held() { return fakes ? fakes->memory_held() : 0; }

void forget_device() {
  if (fakes) fakes->reset();
}

}  // namespace gpy::test::failing
