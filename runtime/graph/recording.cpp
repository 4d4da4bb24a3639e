#include "runtime/graph/recording.h"

#include "runtime/core/cuda_error.h"
#include "runtime/graph/capture.h"
#include "runtime/graph/write_access.h"

namespace gpy::rt {

Queue* recording_queue(const Session& session, Place place) {
  Queue* const queue = session.queues[place].get();
  return queue && queue->capture() ? queue : nullptr;
}

Queue* recording_queue(Session& session, Space space) {
  return space.is_host() ? nullptr : recording_queue(session, session.place_of(space));
}

void require_content(Session& session, Space space) {
  if (!recording_queue(session, space)) return;
  throw CudaError(CudaCode::kStreamCaptureUnsupported,
                  "what is read on the host, or comes from there, is no part of a graph: do that "
                  "before begin_capture() or after launch()");
}

void require_done(Session& session, Space space, const char* what) {
  if (recording() || !recording_queue(session, space)) return;
  throw CudaError(CudaCode::kStreamCaptureUnsupported,
                  fmt::format("{} cannot be part of a graph: do it before begin_capture()", what));
}

static ArrayCapture* capture_of(const Array& array) {
  const QueueSet* const queues = current_queue_set();
  if (!queues || array.space().is_host()) return nullptr;
  for (const Ref<Queue>& queue : *queues) {
    if (queue && queue->capture()) return static_cast<ArrayCapture*>(queue->capture());
  }
  return nullptr;
}

bool is_recorded(const Array& array) { return capture_of(array) != nullptr; }

void keep_apart(const Array& array) {
  if (array.value()->pending()) return;
  if (ArrayCapture* capture = capture_of(array)) own_content(capture->session(), array);
}

}  // namespace gpy::rt
