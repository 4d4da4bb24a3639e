#pragma once

// Queries and settings of a device, besides work: facts, limits, peers, the profiler. Numbers are
// CUDA's. All failures throw CudaError.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/core/queue.h"

namespace gpy::rt {

class DeviceControl {
 public:
  virtual ~DeviceControl() = default;

  // cudaDevAttr...; kInvalidValue for one that the driver does not know.
  virtual int attribute(int which) = 0;
  // "0000:3B:00.0"
  virtual std::string pci_bus_id() = 0;
  virtual std::array<unsigned char, 16> uuid() = 0;

  // cudaLimit...
  virtual size_t limit(int which) = 0;
  virtual void set_limit(int which, size_t value) = 0;

  // Other devices are named by their index.
  virtual bool can_access(int device) = 0;
  virtual void enable_access(int device) = 0;
  virtual void disable_access(int device) = 0;
  // Copies from `device` go straight to this one from now on, where the two can; else the driver
  // takes them by way of the host.
  virtual void open_way(int device) = 0;

  // The driver's version; 0 where there is none.
  virtual int driver_version() = 0;
  // The context's handle; 0 where there is none.
  virtual uintptr_t context() = 0;
  virtual void start_profiler() = 0;
  virtual void stop_profiler() = 0;

  // The properties of streams that scripts have from elsewhere: cudaStream... flags.
  virtual unsigned stream_flags(Queue& queue) = 0;
  virtual int stream_priority(Queue& queue) = 0;
};

}  // namespace gpy::rt
