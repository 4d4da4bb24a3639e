#pragma once

// Queues of the host, which run all work at once.

#include "runtime/core/queue.h"

namespace gpy::rt {

class HostQueue final : public Queue {
 public:
  explicit HostQueue(const QueueOptions& options = {}) : options_(options) {}

  void synchronize() override {}
  bool done() override { return true; }
  void follow(Queue&) override {}
  void call(std::function<void()> function) override { function(); }
  int priority() const override { return options_.priority; }
  uintptr_t handle() const override;
  bool is_blocking() const { return options_.blocking; }

 private:
  const QueueOptions options_;
};

Ref<Event> make_host_event(const EventOptions& options);

}  // namespace gpy::rt
