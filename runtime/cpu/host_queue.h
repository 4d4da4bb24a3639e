#pragma once

// Queues of the host, which run all work at once.

#include <unordered_set>

#include "runtime/core/process.h"
#include "runtime/core/queue.h"

namespace gpy::rt {

class HostQueue;

// The queues that there are: one that is named by its handle is the same queue.
class HostQueues {
 public:
  Ref<Queue> make(const QueueOptions& options);

 private:
  friend HostQueue;
  ForkSafe<std::mutex> mutex_;
  std::unordered_set<const HostQueue*> alive_;
};

class HostQueue final : public Queue {
 public:
  HostQueue(HostQueues& queues, const QueueOptions& options);
  ~HostQueue() override;

  void synchronize() override {}
  bool done() override { return true; }
  void follow(Queue&) override {}
  void call(std::function<void()> function) override { function(); }
  int priority() const override { return options_.priority; }
  uintptr_t handle() const override;
  bool is_blocking() const { return options_.blocking; }

 private:
  HostQueues& queues_;
  const QueueOptions options_;
};

Ref<Event> make_host_event(const EventOptions& options);

}  // namespace gpy::rt
