#pragma once

// Work that queues are given while they capture: it is recorded, and done each time that the graph
// is launched which it becomes (graph/launch_graph.h).

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace gpy::rt {

class Buffer;
class Queue;

using RecordedWork = std::vector<std::function<void()>>;

// One queue begins and ends a capture. Others take part once they wait for an event of it; the
// first must wait for what they have before the end. Calls that CUDA refuses fail as they do there.
class Capture {
 public:
  explicit Capture(const Queue& first) : first_(&first) {}
  virtual ~Capture() = default;
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  // Adds work of `queue`, behind what there is. It owns all that it needs but memory, of which
  // use() is told.
  void add(const Queue& queue, std::function<void()> work);
  // The work added next reads the memory, or writes to it: it stays as long as the graph.
  virtual void use(const Buffer& memory, bool writes) = 0;

  // How much of each queue's work lies before a point, as an event of `queue` has it.
  using Point = std::map<const Queue*, size_t>;
  Point point(const Queue& queue) const;
  void wait(const Queue& queue, const Point& point);

  // A call was made that CUDA does not take while a stream captures: the end will fail.
  void invalidate() { valid_ = false; }
  bool active() const { return active_; }
  bool began_on(const Queue& queue) const { return first_ == &queue; }
  void give_up() noexcept { active_ = false; }
  // Throws CudaError where `queue` is not the first one, queues were not waited for, or the capture
  // was invalidated.
  RecordedWork end(const Queue& queue);

 private:
  const Queue* first_;  // compared, never used: queues may end
  bool active_ = true, valid_ = true;
  RecordedWork work_;
  Point last_;                             // of each queue
  std::map<const Queue*, Point> reached_;  // what each queue has waited for
};

// The capture that records what this thread does; null where it is done.
Capture* recording() noexcept;
// Adds to it.
void record(std::function<void()> work);

// While it lives, what this thread does is recorded, if `queue` captures; null: it is done.
class RecordScope {
 public:
  explicit RecordScope(Queue* queue) noexcept;
  ~RecordScope();
  RecordScope(const RecordScope&) = delete;
  RecordScope& operator=(const RecordScope&) = delete;

 private:
  Queue* before_;
};

}  // namespace gpy::rt
