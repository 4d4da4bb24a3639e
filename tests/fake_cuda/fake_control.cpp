// Facts, limits, peers and host functions of the fake driver.
#include <atomic>
#include <cstdio>
#include <cstring>

#include "fake_memory.h"

namespace {

std::atomic<size_t> limits[8];

CUresult get_limit(size_t* value, CUlimit which) {
  FAKE_ENTER("cuCtxGetLimit");
  if (which < 0 || which >= 8) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  *value = limits[which];
  return CUDA_SUCCESS;
}
CUresult set_limit(CUlimit which, size_t value) {
  FAKE_ENTER("cuCtxSetLimit");
  if (which < 0 || which >= 8) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  limits[which] = value;
  return CUDA_SUCCESS;
}

// The contexts, of few devices, that peers may access: a bit each.
std::atomic<unsigned> enabled{0};

unsigned bit_of(CUcontext context) { return 1u << (reinterpret_cast<size_t>(context) & 15); }

CUresult enable_peer(CUcontext peer, unsigned) {
  FAKE_ENTER("cuCtxEnablePeerAccess");
  const unsigned before = enabled.fetch_or(bit_of(peer));
  return before & bit_of(peer) ? CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED : CUDA_SUCCESS;
}
CUresult disable_peer(CUcontext peer) {
  FAKE_ENTER("cuCtxDisablePeerAccess");
  const unsigned before = enabled.fetch_and(~bit_of(peer));
  return before & bit_of(peer) ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}
CUresult can_access(int* can, CUdevice device, CUdevice peer) {
  FAKE_ENTER("cuDeviceCanAccessPeer");
  *can = device != peer;
  return CUDA_SUCCESS;
}
CUresult pci_bus_id(char* text, int bytes, CUdevice device) {
  FAKE_ENTER("cuDeviceGetPCIBusId");
  std::snprintf(text, static_cast<size_t>(bytes), "0000:%02X:00.0", 0x3a + device);
  return CUDA_SUCCESS;
}
CUresult uuid(CUuuid* uuid, CUdevice device) {
  FAKE_ENTER("cuDeviceGetUuid");
  std::memset(uuid->bytes, device + 1, sizeof(uuid->bytes));
  return CUDA_SUCCESS;
}
CUresult stream_flags(CUstream stream, unsigned* flags) {
  FAKE_ENTER("cuStreamGetFlags");
  *flags = fake_stream(stream).flags;
  return CUDA_SUCCESS;
}
CUresult stream_priority(CUstream stream, int* priority) {
  FAKE_ENTER("cuStreamGetPriority");
  *priority = fake_stream(stream).priority;
  return CUDA_SUCCESS;
}
// All work is done at once.
CUresult host_function(CUstream, CUhostFn function, void* data) {
  FAKE_ENTER("cuLaunchHostFunc");
  function(data);
  return CUDA_SUCCESS;
}
CUresult profiler_start() {
  FAKE_ENTER("cuProfilerStart");
  return CUDA_SUCCESS;
}
CUresult profiler_stop() {
  FAKE_ENTER("cuProfilerStop");
  return CUDA_SUCCESS;
}

}  // namespace

std::map<std::string, void*> fake_control_entries() {
  return {
      FAKE_ENTRY(cuCtxGetLimit, get_limit),
      FAKE_ENTRY(cuCtxSetLimit, set_limit),
      FAKE_ENTRY(cuCtxEnablePeerAccess, enable_peer),
      FAKE_ENTRY(cuCtxDisablePeerAccess, disable_peer),
      FAKE_ENTRY(cuDeviceCanAccessPeer, can_access),
      FAKE_ENTRY(cuDeviceGetPCIBusId, pci_bus_id),
      {"cuDeviceGetUuid", fake_address(uuid, static_cast<decltype(&::cuDeviceGetUuid)>(nullptr))},
      FAKE_ENTRY(cuStreamGetFlags, stream_flags),
      FAKE_ENTRY(cuStreamGetPriority, stream_priority),
      FAKE_ENTRY(cuLaunchHostFunc, host_function),
      {"cuProfilerStart", reinterpret_cast<void*>(profiler_start)},
      {"cuProfilerStop", reinterpret_cast<void*>(profiler_stop)},
  };
}
