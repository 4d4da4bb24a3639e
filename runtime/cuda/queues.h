#pragma once

// Streams and events of one GPU as the runtime's queues.

#include <unordered_map>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/core/queue.h"
#include "runtime/cuda/handles.h"

namespace gpy::rt {
class MemoryPool;
}

namespace gpy::rt::cuda {

class QueueTable;

class CudaQueue final : public Queue {
 public:
  // The device's own, whose stream the context has.
  explicit CudaQueue(Context& context);
  CudaQueue(Context& context, QueueTable& table, const QueueOptions& options);
  ~CudaQueue() override;

  void synchronize() override;
  bool done() override;
  void follow(Queue& other) override;
  void call(std::function<void()> function) override;
  int priority() const override { return priority_; }
  uintptr_t handle() const override { return reinterpret_cast<uintptr_t>(stream()); }

  // Waits on the device for an event, which may be another device's.
  void wait_for(CUevent event);
  CUstream stream() const { return stream_; }
  bool is_lent() const { return !owned_.get(); }

 private:
  Context& context_;
  QueueTable* table_ = nullptr;
  Stream owned_;
  CUstream stream_;
  int priority_ = 0;
  ForkSafe<std::mutex> mutex_;
  Owned<CUevent, &Driver::cuEventDestroy> point_;  // what it followed last
};

// The queues that scripts and hosts have beside a device's own, one a stream: code that names a
// stream by its handle shares the queue's memory, and keeps a stream that we made alive.
class QueueTable {
 public:
  QueueTable(Context& context, MemoryPool& pool, Queue& own)
      : context_(context), pool_(pool), own_(own) {}

  Ref<Queue> make(const QueueOptions& options);
  // A queue whose memory stays its own, for the work of a graph.
  Ref<Queue> make_for_graph();

 private:
  friend CudaQueue;
  Ref<CudaQueue> add(Ref<CudaQueue> queue);
  // Memory that `queue` has freed passes to the device's own queue.
  void remove(CudaQueue& queue) noexcept;
  void wait_on_device(CudaQueue& queue) noexcept;

  Context& context_;
  MemoryPool& pool_;
  Queue& own_;
  ForkSafe<std::mutex> mutex_;
  std::unordered_map<uintptr_t, CudaQueue*> queues_;
  // Somebody else's streams. They come and go with every use; their memory stays.
  std::vector<Ref<CudaQueue>> lent_;
};

class CudaEvent final : public rt::Event {
 public:
  CudaEvent(Context& context, const EventOptions& options);

  uintptr_t handle() const override { return reinterpret_cast<uintptr_t>(event_.get()); }

 private:
  void record_in(Queue& queue) override;
  bool is_done() override;
  void wait() override;
  void hold_queue(Queue& queue) override;
  float time_since(rt::Event& start) override;

  Context& context_;
  const EventOptions options_;
  Owned<CUevent, &Driver::cuEventDestroy> event_;
  bool recorded_ = false;
};

}  // namespace gpy::rt::cuda
