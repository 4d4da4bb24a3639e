#include "runtime/memory/queue_use.h"

#include <algorithm>

namespace gpy::rt {

static Queue& or_own(Queue* queue, Queue& own) { return queue ? *queue : own; }

void QueueUse::read_elsewhere(Queue* now, Queue& own) {
  if (queues_.empty()) queues_.emplace_back();
  const auto is_now = [now](const Ref<Queue>& each) { return each.get() == now; };
  if (std::ranges::any_of(queues_, is_now)) return;
  queues_.emplace_back(now);
  or_own(now, own).follow(or_own(writer(), own));
}

void QueueUse::write_elsewhere(Queue* now, Queue& own) {
  if (queues_.empty()) queues_.emplace_back();
  for (const Ref<Queue>& each : queues_) {
    if (each.get() != now) or_own(now, own).follow(or_own(each.get(), own));
  }
  if (!now) return queues_.clear();
  queues_.resize(1);
  queues_.front() = now;
}

void QueueUse::gather(Queue& own) {
  for (size_t i = 1; i < queues_.size(); ++i) {
    or_own(writer(), own).follow(or_own(queues_[i].get(), own));
  }
  if (!queues_.empty()) queues_.resize(1);
}

void QueueUse::finish(Queue& own) {
  if (queues_.empty()) return own.synchronize();
  for (const Ref<Queue>& each : queues_) or_own(each.get(), own).synchronize();
  queues_.clear();
}

}  // namespace gpy::rt
