#include "runtime/cuda/make_backend.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <mutex>
#include <optional>
#include <system_error>

#include "runtime/cuda/code_form.h"
#include "runtime/cuda/cuda_backend.h"
#include "runtime/memory/pool_limit.h"

namespace gpy::rt {
namespace {

// A container whose host has no GPU may still have a driver's library: the device files that it
// would open are checked first, since starting it costs 100 ms. The second name is WSL's.
bool has_device_nodes() {
  return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
}

struct Found {
  int count = 0;
  std::string why_none;
  uint32_t in_process = fork_count();
};

// Devices are searched for once. After a fork during another thread's search the child does it.
struct Devices {
  ForkSafe<std::mutex> looking;
  std::optional<Found> found;
};

Found look_for_devices() {
  if (!has_device_nodes())
    return {.why_none = "no GPU is visible here (neither /dev/nvidiactl nor /dev/dxg is there)"};
  Found found;
  const auto driver = cuda::Driver::open("", &found.why_none);
  if (driver) found.count = driver->device_count(&found.why_none);
  return found;
}

// Runs work on a thread of its own, or in the waiting thread where the system gives no more.
template <class Work> auto in_background(Work work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, work);
  }
}

// Limits the device's pool as CuPy does: to bytes, or to "40%" of the device's memory.
void limit_memory(Backend& backend) {
  if (const auto limit = memory_limit_of_environment(backend.device_info().memory_total)) {
    backend.set_memory_limit(*limit);
  }
}

}  // namespace

int cuda_device_count(std::string* why_none) {
  static Devices& devices = *new Devices;
  const std::lock_guard lock(devices.looking);
  if (!devices.found) devices.found.emplace(look_for_devices());
  const Found& found = *devices.found;
  const bool is_of_parent = found.count > 0 && found.in_process != fork_count();
  if (why_none) *why_none = is_of_parent ? cuda::kNoGpuAfterFork : found.why_none;
  return is_of_parent ? 0 : found.count;
}

std::unique_ptr<Backend> make_cuda_backend(int device, std::string* why_not,
                                           const Hostile& hostile) {
  return make_cuda_backend("", device, why_not, hostile);
}

std::unique_ptr<Backend> make_cuda_backend(const std::string& driver_path, int device,
                                           std::string* why_not, const Hostile& hostile) {
  std::string ignored;
  std::string& why = why_not ? *why_not : ignored;
  auto driver = cuda::Driver::open(driver_path, &why);
  if (!driver) return nullptr;
  const int count = driver->device_count(&why);
  if (count == 0) return nullptr;
  if (device < 0 || device >= count) {
    why = fmt::format("there is no GPU {}: this machine has {} (cuda:0{})", device, count,
                      count > 1 ? fmt::format(" to cuda:{}", count - 1) : "");
    return nullptr;
  }
  // Opening NVRTC reads 100 MB from a cold disk; making the context takes as long.
  auto opening = in_background(
      [&why, version = driver->version()] { return cuda::Nvrtc::open(version, &why); });
  try {
    auto context = std::make_unique<cuda::Context>(std::move(driver), device);
    auto nvrtc = opening.get();
    if (!nvrtc) return nullptr;
    const int capability = context->compute_capability();
    if (cuda::Compiler::target_of(*nvrtc, capability) == 0) {
      why = fmt::format("NVRTC {} makes no code for a GPU of compute capability {}.{}",
                        nvrtc->version(), capability / 10, capability % 10);
      return nullptr;
    }
    const auto form = cuda::choose_code_form(*context, *nvrtc, &why);
    if (!form) return nullptr;
    auto backend =
        std::make_unique<cuda::CudaBackend>(std::move(context), std::move(nvrtc), *form, hostile);
    limit_memory(*backend);
    return backend;
  } catch (const Error& error) {
    if (opening.valid()) opening.wait();
    why = error.message();
    return nullptr;
  }
}

}  // namespace gpy::rt
