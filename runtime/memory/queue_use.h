#pragma once

// The queues whose work uses a block of a device's memory. Its next user waits for them, on the
// device; where all work goes to the device's own queue there is nothing to note.

#include <vector>

#include "runtime/core/queue.h"

namespace gpy::rt {

class QueueUse {
 public:
  QueueUse() = default;
  // The block was taken for work of `queue`; null: the device's own.
  explicit QueueUse(Queue* queue) {
    if (queue) queues_.emplace_back(queue);
  }

  // Noted before work of `now` (null: `own`, the device's) that reads the memory, or writes to it.
  void read(Queue* now, Queue& own) {
    if (now || !queues_.empty()) read_elsewhere(now, own);
  }
  void write(Queue* now, Queue& own) {
    if (now || !queues_.empty()) write_elsewhere(now, own);
  }

  // The queue of the last writer; null: the device's own.
  Queue* writer() const { return queues_.empty() ? nullptr : queues_.front().get(); }
  // The writer's queue waits for the readers: from then on it alone uses the memory.
  void gather(Queue& own);
  // This thread waits for the writer.
  void finish_writer(Queue& own) { (writer() ? *writer() : own).synchronize(); }
  // This thread waits for all of the queues; none of them uses the memory any more.
  void finish(Queue& own);
  void forget() { queues_.clear(); }

 private:
  void read_elsewhere(Queue* now, Queue& own);
  void write_elsewhere(Queue* now, Queue& own);

  std::vector<Ref<Queue>> queues_;  // the writer's, then the readers'; empty: the device's own
};

}  // namespace gpy::rt
