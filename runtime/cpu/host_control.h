#pragma once

// The control of the CPU where it stands in for a GPU. A fact that only a GPU has is 0.

#include "runtime/device_control.h"

namespace gpy::rt {

class ThreadPool;

// The devices of CUDA whose features kernels on the CPU have, as their limits are: 90 for 9.0.
constexpr int kHostComputeCapability = 90;

class HostControl final : public DeviceControl {
 public:
  explicit HostControl(const ThreadPool& threads) : threads_(threads) {}

  int attribute(int which) override;
  std::string pci_bus_id() override { return "0000:00:00.0"; }
  std::array<unsigned char, 16> uuid() override { return {}; }
  size_t limit(int which) override;
  void set_limit(int which, size_t value) override;
  bool can_access(int device) override;
  void enable_access(int device) override;
  void disable_access(int device) override;
  void open_way(int) override {}
  int driver_version() override { return 0; }
  uintptr_t context() override { return 0; }
  void start_profiler() override {}
  void stop_profiler() override {}
  unsigned stream_flags(Queue& queue) override;
  int stream_priority(Queue& queue) override { return queue.priority(); }

 private:
  const ThreadPool& threads_;
};

}  // namespace gpy::rt
