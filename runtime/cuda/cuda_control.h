#pragma once

// The control of one GPU, by its driver.

#include <vector>

#include "runtime/core/process.h"
#include "runtime/cuda/context.h"
#include "runtime/device_control.h"

namespace gpy::rt::cuda {

class CudaControl final : public DeviceControl {
 public:
  explicit CudaControl(Context& context) : context_(context) {}

  int attribute(int which) override;
  std::string pci_bus_id() override;
  std::array<unsigned char, 16> uuid() override;
  size_t limit(int which) override;
  void set_limit(int which, size_t value) override;
  bool can_access(int device) override;
  void enable_access(int device) override;
  void disable_access(int device) override;
  void open_way(int device) override;
  int driver_version() override { return context_.driver().version(); }
  uintptr_t context() override { return reinterpret_cast<uintptr_t>(context_.handle()); }
  void start_profiler() override;
  void stop_profiler() override;
  unsigned stream_flags(Queue& queue) override;
  int stream_priority(Queue& queue) override;

  // Called at the backend's end, while the context is current.
  void release_peers() noexcept;

 private:
  CUdevice device_at(int index);
  // False where access was tried before.
  bool tries_first(int device);
  // Its primary context; kept, so that access to it stays.
  CUcontext context_of(int device);

  struct Peer {
    CUdevice device;
    CUcontext context;
  };
  Context& context_;
  ForkSafe<std::mutex> mutex_;
  std::vector<Peer> peers_;
  std::vector<int> tried_;  // devices that open_way has seen
};

}  // namespace gpy::rt::cuda
