#pragma once

// A pool of a script's own, over memory of one kind: a pool for each device.

#include <map>
#include <memory>
#include <mutex>

#include "runtime/backend.h"
#include "runtime/core/process.h"
#include "runtime/memory/array_source.h"
#include "runtime/memory/pool.h"
#include "runtime/memory/raw_memory.h"

namespace gpy::rt {

class Runtime;

class PooledSource final : public ArraySource, public std::enable_shared_from_this<PooledSource> {
 public:
  // With `keeps` false each block is given back to the device as soon as it is free.
  PooledSource(std::shared_ptr<Runtime> runtime, RawMemory::Source kind, bool keeps);
  ~PooledSource() override;

  Ref<Buffer> allocate(Backend& backend, size_t bytes) override;
  // The use of one device's pool.
  MemoryUse use(Backend& backend);
  void free_all_blocks(Backend& backend);
  void set_limit(Backend& backend, size_t bytes);  // 0: none

 private:
  class DevicePool;
  DevicePool& of(Backend& backend);

  const std::shared_ptr<Runtime> runtime_;  // whose devices have the memory
  const RawMemory::Source kind_;
  const bool keeps_;
  ForkSafe<std::mutex> mutex_;
  std::map<Backend*, std::unique_ptr<DevicePool>> pools_;
};

}  // namespace gpy::rt
