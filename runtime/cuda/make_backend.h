#pragma once

// The CUDA backend's front door. Needs no CUDA header, and links where the build has no CUDA.

#include <memory>
#include <string>

#include "runtime/backend.h"
#include "runtime/core/hostile.h"

namespace gpy::rt {

// The number of GPUs. 0 without a driver; the first call of a process with one initialises it
// (about 100 ms), a machine without one is detected in microseconds. Where there is none,
// `why_none` gets one line that says why; else it becomes empty.
int cuda_device_count(std::string* why_none = nullptr);

// The backend of GPU `device`, its context made. Null where it cannot work, with one line in
// `why_not`: no driver, no such device, no NVRTC.
std::unique_ptr<Backend> make_cuda_backend(int device, std::string* why_not,
                                           const Hostile& hostile = {});

// The same over the driver library at `path`, which tests use to put in one of their own.
std::unique_ptr<Backend> make_cuda_backend(const std::string& driver_path, int device,
                                           std::string* why_not, const Hostile& hostile = {});

}  // namespace gpy::rt
