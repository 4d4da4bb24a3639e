#include "runtime/cpu/host_queue.h"

#include <chrono>

#include "runtime/core/cuda_error.h"

namespace gpy::rt {

Ref<Queue> HostQueues::make(const QueueOptions& options) {
  if (options.external != 0) {
    auto* const named = reinterpret_cast<HostQueue*>(options.external);
    const std::lock_guard lock(mutex_);
    if (alive_.contains(named) && named->try_retain()) return Ref<Queue>::adopt(named);
  }
  return make_ref<HostQueue>(*this, options);
}

HostQueue::HostQueue(HostQueues& queues, const QueueOptions& options)
    : queues_(queues), options_(options) {
  const std::lock_guard lock(queues_.mutex_);
  queues_.alive_.insert(this);
}

HostQueue::~HostQueue() {
  const std::lock_guard lock(queues_.mutex_);
  queues_.alive_.erase(this);
}

uintptr_t HostQueue::handle() const {
  return options_.external ? options_.external : reinterpret_cast<uintptr_t>(this);
}

namespace {

class HostEvent final : public Event {
 public:
  explicit HostEvent(const EventOptions& options) : options_(options) {}

  uintptr_t handle() const override { return reinterpret_cast<uintptr_t>(this); }

 private:
  void record_in(Queue&) override {
    at_ = std::chrono::steady_clock::now();
    recorded_ = true;
  }
  bool is_done() override { return true; }
  void wait() override {}
  void hold_queue(Queue&) override {}
  float time_since(Event& start) override {
    const auto& first = static_cast<HostEvent&>(start);
    if (!first.tells_time() || !tells_time()) {
      throw CudaError(CudaCode::kInvalidResourceHandle);
    }
    return std::chrono::duration<float, std::milli>(at_ - first.at_).count();
  }
  bool tells_time() const { return recorded_ && options_.timed; }

  const EventOptions options_;
  std::chrono::steady_clock::time_point at_;
  bool recorded_ = false;
};

}  // namespace

Ref<Event> make_host_event(const EventOptions& options) { return make_ref<HostEvent>(options); }

}  // namespace gpy::rt
