#include "runtime/graph/launch_graph.h"

#include "runtime/core/interrupt.h"
#include "runtime/graph/capture.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/recording.h"

namespace gpy::rt {

std::shared_ptr<Capture> begin_capture(Session& session, Queue& queue) {
  launch_all_pending(session);
  auto capture = std::make_shared<ArrayCapture>(session, queue);
  queue.begin_capture(capture);
  return capture;
}

std::shared_ptr<LaunchGraph> LaunchGraph::end_capture(Session& session, Place place, Queue& queue) {
  auto* const capture = static_cast<ArrayCapture*>(queue.capture());
  if (capture && capture->began_on(queue)) {
    try {
      launch_pending(session, place);
    } catch (...) {
      capture->give_up();
      throw;
    }
  }
  RecordedWork work = queue.end_capture();
  return std::make_shared<LaunchGraph>(session.backend(place), std::move(work), capture->memory());
}

LaunchGraph::LaunchGraph(Backend& backend, RecordedWork work, std::vector<UsedMemory> memory)
    : backend_(backend),
      work_(std::make_shared<const RecordedWork>(std::move(work))),
      memory_(std::move(memory)),
      exec_(backend.make_graph(*work_)) {}

namespace {

// This thread's queues, of which one place's is another.
class OtherQueue {
 public:
  OtherQueue(const Session& session, Place place, Queue* queue) : queues_(session.queues) {
    queues_[place] = Ref<Queue>(queue);
  }

 private:
  QueueSet queues_;
  const QueueScope scope_{&queues_};
};

}  // namespace

void LaunchGraph::launch(Session& session, Queue* queue) {
  launch_all_pending(session);
  const OtherQueue scope(session, place(), queue);
  const InterruptScope interrupts(session.interrupt);
  const RecordScope records(queue);
  for (const auto& [buffer, written] : memory_) {
    if (written) backend_.will_write(*buffer);
    else backend_.will_read(*buffer);
  }
  if (!recording()) return exec_->launch();
  record([work = work_] {
    for (const auto& each : *work) each();
  });
}

void LaunchGraph::upload(Session& session, Queue* queue) {
  const OtherQueue scope(session, place(), queue);
  exec_->upload();
}

}  // namespace gpy::rt
