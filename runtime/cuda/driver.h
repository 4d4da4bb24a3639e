#pragma once

// The driver's entry points, opened at run time, and the one way to check what they return.

#include <cuda.h>

#include <memory>
#include <string>

#include "runtime/core/error.h"

namespace gpy::rt::cuda {

// clang-format off
#define GPY_DRIVER_FUNCTIONS(X) \
  X(cuInit)                     \
  X(cuDriverGetVersion)         \
  X(cuGetErrorName)             \
  X(cuGetErrorString)           \
  X(cuDeviceGet)                \
  X(cuDeviceGetCount)           \
  X(cuDeviceGetName)            \
  X(cuDeviceGetAttribute)       \
  X(cuDevicePrimaryCtxRetain)   \
  X(cuDevicePrimaryCtxRelease)  \
  X(cuCtxGetCurrent)            \
  X(cuCtxPushCurrent)           \
  X(cuCtxPopCurrent)            \
  X(cuCtxSynchronize)           \
  X(cuCtxGetStreamPriorityRange) \
  X(cuStreamCreate)             \
  X(cuStreamDestroy)            \
  X(cuStreamCreateWithPriority) \
  X(cuStreamQuery)              \
  X(cuStreamSynchronize)        \
  X(cuStreamWaitEvent)          \
  X(cuEventCreate)              \
  X(cuEventDestroy)             \
  X(cuEventRecord)              \
  X(cuEventSynchronize)         \
  X(cuEventQuery)               \
  X(cuEventElapsedTime)         \
  X(cuMemGetInfo)               \
  X(cuMemAlloc)                 \
  X(cuMemFree)                  \
  X(cuMemHostAlloc)             \
  X(cuMemFreeHost)              \
  X(cuMemcpyHtoDAsync)          \
  X(cuMemcpyDtoHAsync)          \
  X(cuMemcpyDtoDAsync)          \
  X(cuMemsetD2D8Async)          \
  X(cuMemsetD8Async)            \
  X(cuPointerGetAttribute)      \
  X(cuModuleLoadData)           \
  X(cuLinkCreate)               \
  X(cuLinkAddData)              \
  X(cuLinkAddFile)              \
  X(cuLinkComplete)             \
  X(cuLinkDestroy)              \
  X(cuModuleUnload)             \
  X(cuModuleGetFunction)        \
  X(cuModuleGetGlobal)          \
  X(cuFuncGetAttribute)         \
  X(cuFuncSetAttribute)         \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(cuLaunchCooperativeKernel)  \
  X(cuLaunchKernel)             \
  X(cuCtxGetLimit)               \
  X(cuCtxSetLimit)               \
  X(cuCtxEnablePeerAccess)       \
  X(cuCtxDisablePeerAccess)      \
  X(cuDeviceGetPCIBusId)         \
  X(cuDeviceGetUuid)             \
  X(cuDeviceCanAccessPeer)       \
  X(cuDeviceGetDefaultMemPool)   \
  X(cuDeviceGetMemPool)          \
  X(cuDeviceSetMemPool)          \
  X(cuStreamGetFlags)            \
  X(cuStreamGetPriority)         \
  X(cuLaunchHostFunc)            \
  X(cuMemAllocManaged)           \
  X(cuMemAllocAsync)             \
  X(cuMemAllocFromPoolAsync)     \
  X(cuMemFreeAsync)              \
  X(cuMemHostRegister)           \
  X(cuMemHostUnregister)         \
  X(cuMemcpyAsync)               \
  X(cuMemcpy2DAsync)             \
  X(cuMemPoolCreate)             \
  X(cuMemPoolDestroy)            \
  X(cuMemPoolTrimTo)             \
  X(cuMemPoolGetAttribute)       \
  X(cuMemPoolSetAttribute)       \
  X(cuStreamBeginCapture)        \
  X(cuStreamEndCapture)          \
  X(cuGraphDestroy)              \
  X(cuGraphDebugDotPrint)        \
  X(cuGraphInstantiateWithFlags) \
  X(cuGraphExecDestroy)          \
  X(cuGraphUpload)               \
  X(cuGraphLaunch)               \
  X(cuArray3DCreate)             \
  X(cuArray3DGetDescriptor)      \
  X(cuArrayDestroy)              \
  X(cuMemcpy3DAsync)             \
  X(cuTexObjectCreate)           \
  X(cuTexObjectDestroy)          \
  X(cuSurfObjectCreate)          \
  X(cuSurfObjectDestroy)
// clang-format on

// Types of functions that newer headers declare differently from the requested interface version,
// and of those of a header in a package of its own.
using MemPrefetch = CUresult CUDAAPI(CUdeviceptr, size_t, CUdevice, CUstream);
using MemAdvise = CUresult CUDAAPI(CUdeviceptr, size_t, CUmem_advise, CUdevice);
using ProfilerSwitch = CUresult CUDAAPI();

// One opened libcuda. Never closed: its threads outlive every caller.
class Driver {
 public:
  // Null, with the reason in `why_not`, where there is no usable driver. An empty path means the
  // loader's libcuda.so.1. Does not call cuInit.
  static std::unique_ptr<Driver> open(const std::string& path, std::string* why_not);

  // cuInit, then the number of devices; 0 and a reason where it fails.
  int device_count(std::string* why_not) const;
  // 13000: made for CUDA 13.0; 0 where the driver does not say.
  int version() const;
  std::string error_text(CUresult code) const;

#define GPY_DECLARE(name) decltype(&::name) name = nullptr;
  GPY_DRIVER_FUNCTIONS(GPY_DECLARE)
#undef GPY_DECLARE
  MemPrefetch* prefetch = nullptr;
  MemAdvise* advise = nullptr;
  ProfilerSwitch* profiler_start = nullptr;
  ProfilerSwitch* profiler_stop = nullptr;

 private:
  Driver() = default;
  bool resolve(void* library, std::string* why_not);
};

// Why there is no GPU in the child of a process that has used one.
inline constexpr const char* kNoGpuAfterFork =
    "CUDA does not work in a process that was forked from one that used it: start a new program, "
    "or fork before a GPU is first asked for";

// "13.0" of 13000.
std::string version_text(int version);

// True for the errors after which nothing works in this context again.
bool is_sticky(CUresult code);

// Throws kMemory, kDeviceLost, or CudaError for the rest. `call` is the text of the
// failed call.
[[noreturn]] void throw_driver_error(const Driver& driver, CUresult code, const char* call);

}  // namespace gpy::rt::cuda
