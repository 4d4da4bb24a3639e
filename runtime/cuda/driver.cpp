#include "runtime/cuda/driver.h"

#include <dlfcn.h>

#include <string_view>

#include "runtime/core/cuda_error.h"
#include "runtime/core/process.h"

namespace gpy::rt::cuda {
namespace {

// The interface version asked of the driver, whatever the headers are: the calls used here have not
// changed since, so a driver older than the headers will do.
constexpr int kInterfaceVersion = 12000;

template <class Function>
bool resolve_one(decltype(&::cuGetProcAddress) get, const char* name, Function& function) {
  void* address = nullptr;
  CUdriverProcAddressQueryResult status;
  if (get(name, &address, kInterfaceVersion, 0, &status) != CUDA_SUCCESS || !address) return false;
  function = reinterpret_cast<Function>(address);
  return true;
}

}  // namespace

std::unique_ptr<Driver> Driver::open(const std::string& path, std::string* why_not) {
  void* library = dlopen(path.empty() ? "libcuda.so.1" : path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    *why_not = "no NVIDIA driver is installed (libcuda.so.1 was not found)";
    return nullptr;
  }
  std::unique_ptr<Driver> driver(new Driver);
  return driver->resolve(library, why_not) ? std::move(driver) : nullptr;
}

bool Driver::resolve(void* library, std::string* why_not) {
  const auto get =
      reinterpret_cast<decltype(&::cuGetProcAddress)>(dlsym(library, "cuGetProcAddress_v2"));
  if (!get) {
    *why_not = "the NVIDIA driver is older than CUDA 12 (release 525): please update it";
    return false;
  }
#define GPY_RESOLVE(name)                                              \
  if (!resolve_one(get, #name, this->name)) {                          \
    *why_not = "the NVIDIA driver has no " #name ": please update it"; \
    return false;                                                      \
  }
  GPY_DRIVER_FUNCTIONS(GPY_RESOLVE)
#undef GPY_RESOLVE
  const bool whole = resolve_one(get, "cuMemPrefetchAsync", prefetch) &&
                     resolve_one(get, "cuMemAdvise", advise) &&
                     resolve_one(get, "cuProfilerStart", profiler_start) &&
                     resolve_one(get, "cuProfilerStop", profiler_stop);
  if (!whole) *why_not = "the NVIDIA driver lacks functions of CUDA 12: please update it";
  return whole;
}

// False in the child of a process that started the driver: its state is the parent's.
static bool may_start() {
  static const uint32_t started_in = (install_process_handlers(), fork_count());
  return started_in == fork_count();
}

int Driver::device_count(std::string* why_not) const {
  int count = 0;
  if (!may_start()) {
    *why_not = kNoGpuAfterFork;
    return 0;
  }
  CUresult code = cuInit(0);
  if (code == CUDA_SUCCESS) code = cuDeviceGetCount(&count);
  if (code == CUDA_SUCCESS && count > 0) return count;
  *why_not = code == CUDA_SUCCESS || code == CUDA_ERROR_NO_DEVICE
                 ? "the NVIDIA driver sees no GPU"
                 : fmt::format("the NVIDIA driver does not start: {}", error_text(code));
  return 0;
}

int Driver::version() const {
  int version = 0;
  return cuDriverGetVersion(&version) == CUDA_SUCCESS ? version : 0;
}

std::string Driver::error_text(CUresult code) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (cuGetErrorName(code, &name) != CUDA_SUCCESS || !name) {
    return fmt::format("CUDA error {}", static_cast<int>(code));
  }
  cuGetErrorString(code, &text);
  return fmt::format("{}: {}", name, text ? text : "no description");
}

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

bool is_sticky(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_UNKNOWN: return true;
    default: return false;
  }
}

void throw_driver_error(const Driver& driver, CUresult code, const char* call) {
  const std::string_view whole = call;
  const std::string_view name = whole.substr(0, whole.find('('));
  const std::string text = driver.error_text(code);
  if (code == CUDA_ERROR_DEINITIALIZED) {
    fail(ErrorKind::kRuntime, "the GPU's driver has ended: the process is ending");
  }
  if (code == CUDA_ERROR_OUT_OF_MEMORY) fail(ErrorKind::kMemory, "{} ({})", text, name);
  if (is_sticky(code)) fail(ErrorKind::kDeviceLost, "the GPU faulted: {} ({})", text, name);
  throw CudaError(code, std::string(name));
}

}  // namespace gpy::rt::cuda
