#pragma once

// Streams and events of one GPU as the runtime's queues.

#include "runtime/core/process.h"
#include "runtime/core/queue.h"
#include "runtime/cuda/handles.h"

namespace gpy::rt {
class MemoryPool;
}

namespace gpy::rt::cuda {

class CudaQueue final : public Queue {
 public:
  // The device's own, whose stream the context has.
  explicit CudaQueue(Context& context);
  // Memory that it leaves free in `pool` is `own`'s when it ends.
  CudaQueue(Context& context, MemoryPool& pool, Queue& own, const QueueOptions& options);
  ~CudaQueue() override;

  void synchronize() override;
  bool done() override;
  void follow(Queue& other) override;
  int priority() const override { return priority_; }
  uintptr_t handle() const override { return reinterpret_cast<uintptr_t>(stream()); }

  CUstream stream() const { return stream_; }

 private:
  Context& context_;
  Stream owned_;
  CUstream stream_;
  MemoryPool* pool_ = nullptr;
  Queue* own_ = nullptr;
  int priority_ = 0;
  ForkSafe<std::mutex> mutex_;
  Owned<CUevent, &Driver::cuEventDestroy> point_;  // what it followed last
};

class CudaEvent final : public rt::Event {
 public:
  CudaEvent(Context& context, const EventOptions& options);

  void record(Queue& queue) override;
  bool done() override;
  void synchronize() override;
  void hold(Queue& queue) override;
  float since(rt::Event& start) override;
  uintptr_t handle() const override { return reinterpret_cast<uintptr_t>(event_.get()); }

 private:
  Context& context_;
  const EventOptions options_;
  Owned<CUevent, &Driver::cuEventDestroy> event_;
  bool recorded_ = false;
};

}  // namespace gpy::rt::cuda
