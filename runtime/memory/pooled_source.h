#pragma once

// A pool of a script's own: a pool for each device, over memory of one kind or a script's function.

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

// Where such a pool takes its segments.
class SegmentSource {
 public:
  virtual ~SegmentSource() = default;
  // Null where there is no more. May run a script, which may use the pool.
  virtual void* allocate(Backend& backend, size_t bytes) = 0;
  virtual void release(Backend& backend, void* segment) noexcept = 0;
  // Whether what it gives may be managed memory.
  virtual bool may_be_managed() const = 0;
};

// Memory of one kind, as the device gives it.
std::unique_ptr<SegmentSource> make_raw_segments(RawMemory::Source kind);

// If the buffer is managed memory that the host reaches while the device works, it is that of both
// from now on (graph/value.h).
void share_if_managed(Backend& device, Buffer& buffer);

class PooledSource final : public ArraySource, public std::enable_shared_from_this<PooledSource> {
 public:
  PooledSource(std::shared_ptr<Runtime> runtime, std::unique_ptr<SegmentSource> segments,
               MemoryPool::Growth growth);
  ~PooledSource() override;

  Ref<Buffer> allocate(Backend& backend, size_t bytes) override;
  // The use of one device's pool.
  MemoryUse use(Backend& backend);
  void free_all_blocks(Backend& backend);
  void set_limit(Backend& backend, size_t bytes);  // 0: none
  SegmentSource& segments() { return *segments_; }

 private:
  class DevicePool;
  DevicePool& of(Backend& backend);

  const std::shared_ptr<Runtime> runtime_;  // whose devices have the memory
  const std::unique_ptr<SegmentSource> segments_;
  const MemoryPool::Growth growth_;
  ForkSafe<std::mutex> mutex_;
  std::map<Backend*, std::unique_ptr<DevicePool>> pools_;
};

}  // namespace gpy::rt
