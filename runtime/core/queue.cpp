#include "runtime/core/queue.h"

#include <utility>

namespace gpy::rt {

static thread_local constinit const QueueSet* this_threads = nullptr;

QueueScope::QueueScope(const QueueSet* queues) noexcept
    : before_(std::exchange(this_threads, queues)) {}
QueueScope::~QueueScope() { this_threads = before_; }

const QueueSet* current_queue_set() noexcept { return this_threads; }

Queue* current_queue(Place place) noexcept {
  return this_threads ? (*this_threads)[place].get() : nullptr;
}

}  // namespace gpy::rt
