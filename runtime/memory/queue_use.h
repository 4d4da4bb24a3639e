#pragma once

// Which queues' work uses a block of a device's memory. Whoever uses it next waits for them, on the
// device; where all work goes to the device's own queue there is nothing to note.

#include <vector>

#include "runtime/core/queue.h"

namespace gpy::rt {

class QueueUse {
 public:
  QueueUse() = default;
  // Taken for work of `queue`; null: the device's own.
  explicit QueueUse(Queue* queue) {
    if (queue) queues_.emplace_back(queue);
  }

  // What `now` (null: `own`, the device's) is given next reads the memory, or writes to it.
  void read(Queue* now, Queue& own) {
    if (now || !queues_.empty()) read_elsewhere(now, own);
  }
  void write(Queue* now, Queue& own) {
    if (now || !queues_.empty()) write_elsewhere(now, own);
  }

  // The queue of the last writer; null: the device's own.
  Queue* writer() const { return queues_.empty() ? nullptr : queues_.front().get(); }
  // The writer's queue waits for the readers: the memory is its own again.
  void gather(Queue& own);

 private:
  void read_elsewhere(Queue* now, Queue& own);
  void write_elsewhere(Queue* now, Queue& own);

  std::vector<Ref<Queue>> queues_;  // the writer's, then the readers'; empty: the device's own
};

}  // namespace gpy::rt
