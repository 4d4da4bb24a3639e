#pragma once

// CUDA graphs: what a queue was given between the begin and the end of a capture, launched as often
// as one likes. What it works on are the arrays that it was captured with: their memory stays where
// it is, and is read and written at each launch.

#include <memory>
#include <vector>

#include "runtime/session.h"

namespace gpy::rt {

// A block of memory that recorded work reads or writes.
struct UsedMemory {
  Ref<const Buffer> buffer;
  bool written = false;
};

// Starts to record what the queue is given from now on. Pending work runs first. Throws CudaError
// where it captures already. The capture goes on as long as it is kept.
std::shared_ptr<Capture> begin_capture(Session& session, Queue& queue);

class LaunchGraph {
 public:
  // Ends the capture that the queue began; its pending work is recorded too. Throws CudaError, as
  // Capture::end does; in any case the queue captures no longer.
  static std::shared_ptr<LaunchGraph> end_capture(Session& session, Place place, Queue& queue);

  LaunchGraph(Backend& backend, RecordedWork work, std::vector<UsedMemory> memory);

  // Gives the work to `queue`, of the graph's device; null: the device's own. Where that captures,
  // it becomes a part of the other graph.
  void launch(Session& session, Queue* queue);
  void upload(Session& session, Queue* queue);

  Place place() const { return backend_.place(); }
  GraphExec& exec() { return *exec_; }

 private:
  Backend& backend_;
  const std::shared_ptr<const RecordedWork> work_;
  const std::vector<UsedMemory> memory_;
  std::unique_ptr<GraphExec> exec_;  // ends before what it uses
};

}  // namespace gpy::rt
