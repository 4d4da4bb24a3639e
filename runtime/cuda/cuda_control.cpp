#include "runtime/cuda/cuda_control.h"

#include <algorithm>
#include <cstring>

namespace gpy::rt::cuda {

int CudaControl::attribute(int which) {
  const Context::Scope scope(context_);
  return context_.attribute(static_cast<CUdevice_attribute>(which));
}

std::string CudaControl::pci_bus_id() {
  const Context::Scope scope(context_);
  char text[32] = {};
  GPY_CU(context_, cuDeviceGetPCIBusId(text, sizeof(text), context_.device()));
  return text;
}

std::array<unsigned char, 16> CudaControl::uuid() {
  const Context::Scope scope(context_);
  CUuuid uuid = {};
  GPY_CU(context_, cuDeviceGetUuid(&uuid, context_.device()));
  std::array<unsigned char, 16> bytes;
  std::memcpy(bytes.data(), uuid.bytes, sizeof(uuid.bytes));
  return bytes;
}

size_t CudaControl::limit(int which) {
  const Context::Scope scope(context_);
  size_t value = 0;
  GPY_CU(context_, cuCtxGetLimit(&value, static_cast<CUlimit>(which)));
  return value;
}

void CudaControl::set_limit(int which, size_t value) {
  const Context::Scope scope(context_);
  GPY_CU(context_, cuCtxSetLimit(static_cast<CUlimit>(which), value));
}

CUdevice CudaControl::device_at(int index) {
  CUdevice device = 0;
  GPY_CU(context_, cuDeviceGet(&device, index));
  return device;
}

bool CudaControl::can_access(int device) {
  const Context::Scope scope(context_);
  int can = 0;
  GPY_CU(context_, cuDeviceCanAccessPeer(&can, context_.device(), device_at(device)));
  return can != 0;
}

CUcontext CudaControl::context_of(int device) {
  const CUdevice found = device_at(device);
  const std::lock_guard lock(mutex_);
  for (const Peer& peer : peers_) {
    if (peer.device == found) return peer.context;
  }
  peers_.reserve(peers_.size() + 1);
  Peer peer{found, nullptr};
  GPY_CU(context_, cuDevicePrimaryCtxRetain(&peer.context, found));
  peers_.push_back(peer);
  return peer.context;
}

void CudaControl::enable_access(int device) {
  const Context::Scope scope(context_);
  GPY_CU(context_, cuCtxEnablePeerAccess(context_of(device), 0));
}

void CudaControl::disable_access(int device) {
  const Context::Scope scope(context_);
  GPY_CU(context_, cuCtxDisablePeerAccess(context_of(device)));
}

bool CudaControl::tries_first(int device) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(tried_, device) != tried_.end()) return false;
  tried_.push_back(device);
  return true;
}

void CudaControl::open_way(int device) {
  if (!tries_first(device) || !can_access(device)) return;
  const Context::Scope scope(context_);
  const CUresult code = context_.driver().cuCtxEnablePeerAccess(context_of(device), 0);
  // Another thread was faster, or the hardware has no room for more peers.
  if (code == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED || code == CUDA_ERROR_TOO_MANY_PEERS) return;
  context_.check(code, "cuCtxEnablePeerAccess");
}

void CudaControl::release_peers() noexcept {
  for (const Peer& peer : peers_) context_.driver().cuDevicePrimaryCtxRelease(peer.device);
  peers_.clear();
}

void CudaControl::start_profiler() {
  const Context::Scope scope(context_);
  GPY_CU(context_, profiler_start());
}

void CudaControl::stop_profiler() {
  const Context::Scope scope(context_);
  GPY_CU(context_, profiler_stop());
}

unsigned CudaControl::stream_flags(Queue& queue) {
  const Context::Scope scope(context_);
  unsigned flags = 0;
  GPY_CU(context_, cuStreamGetFlags(stream_of(queue), &flags));
  return flags;
}

int CudaControl::stream_priority(Queue& queue) {
  const Context::Scope scope(context_);
  int priority = 0;
  GPY_CU(context_, cuStreamGetPriority(stream_of(queue), &priority));
  return priority;
}

}  // namespace gpy::rt::cuda
