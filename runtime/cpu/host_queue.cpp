#include "runtime/cpu/host_queue.h"

#include <chrono>

#include "runtime/core/cuda_error.h"

namespace gpy::rt {

uintptr_t HostQueue::handle() const {
  return options_.external ? options_.external : reinterpret_cast<uintptr_t>(this);
}

namespace {

class HostEvent final : public Event {
 public:
  explicit HostEvent(const EventOptions& options) : options_(options) {}

  void record(Queue&) override {
    at_ = std::chrono::steady_clock::now();
    recorded_ = true;
  }
  bool done() override { return true; }
  void synchronize() override {}
  void hold(Queue&) override {}
  float since(Event& start) override {
    const auto& first = static_cast<HostEvent&>(start);
    if (!first.tells_time() || !tells_time()) {
      throw CudaError(CudaCode::kInvalidResourceHandle);
    }
    return std::chrono::duration<float, std::milli>(at_ - first.at_).count();
  }
  uintptr_t handle() const override { return reinterpret_cast<uintptr_t>(this); }

 private:
  bool tells_time() const { return recorded_ && options_.timed; }

  const EventOptions options_;
  std::chrono::steady_clock::time_point at_;
  bool recorded_ = false;
};

}  // namespace

Ref<Event> make_host_event(const EventOptions& options) { return make_ref<HostEvent>(options); }

}  // namespace gpy::rt
