#include "runtime/cpu/host_control.h"

#include <climits>

#include "runtime/core/cuda_error.h"
#include "runtime/core/thread_pool.h"
#include "runtime/cpu/host_queue.h"

namespace gpy::rt {
namespace {

// A cudaDevAttr... with its value for kernels on the CPU, as kernel/launch_shape.h checks it.
struct Fact {
  int which, value;
};
constexpr Fact kFacts[] = {
    {1, 1024},                          // MaxThreadsPerBlock
    {2, 1024},                          // MaxBlockDimX
    {3, 1024},                          // MaxBlockDimY
    {4, 64},                            // MaxBlockDimZ
    {5, INT_MAX},                       // MaxGridDimX
    {6, 65535},                         // MaxGridDimY
    {7, 65535},                         // MaxGridDimZ
    {8, 48 << 10},                      // MaxSharedMemoryPerBlock
    {10, 32},                           // WarpSize
    {18, 1},                            // Integrated
    {19, 1},                            // CanMapHostMemory
    {41, 1},                            // UnifiedAddressing
    {75, kHostComputeCapability / 10},  // ComputeCapabilityMajor
    {76, kHostComputeCapability % 10},  // ComputeCapabilityMinor
    {83, 1},                            // ManagedMemory
    {88, 1},                            // PageableMemoryAccess
    {89, 1},                            // ConcurrentManagedAccess
    {91, 1},                            // CanUseHostPointerForRegisteredMem
    {95, 1},                            // CooperativeLaunch
    {97, 227 << 10},                    // MaxSharedMemoryPerBlockOptin
    {99, 1},                            // HostRegisterSupported
    {115, 1},                           // MemoryPoolsSupported
};
constexpr int kMultiProcessorCount = 16;
constexpr int kLastAttribute = 148;

}  // namespace

int HostControl::attribute(int which) {
  if (which < 1 || which >= kLastAttribute) throw CudaError(CudaCode::kInvalidValue);
  if (which == kMultiProcessorCount) return threads_.threads();
  for (const Fact& fact : kFacts) {
    if (fact.which == which) return fact.value;
  }
  return 0;
}

// CUDA's limits do not exist for kernels on the CPU.
size_t HostControl::limit(int) { throw CudaError(CudaCode::kUnsupportedLimit); }
void HostControl::set_limit(int, size_t) { throw CudaError(CudaCode::kUnsupportedLimit); }

// There is no other device than itself.
bool HostControl::can_access(int device) {
  if (device != 0) throw CudaError(CudaCode::kInvalidDevice);
  return false;
}
void HostControl::enable_access(int) { throw CudaError(CudaCode::kInvalidDevice); }
void HostControl::disable_access(int) { throw CudaError(CudaCode::kInvalidDevice); }

unsigned HostControl::stream_flags(Queue& queue) {
  return static_cast<HostQueue&>(queue).is_blocking() ? 0 : 1;
}

}  // namespace gpy::rt
