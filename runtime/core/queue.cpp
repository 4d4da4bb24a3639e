#include "runtime/core/queue.h"

#include <utility>

#include "runtime/core/cuda_error.h"

namespace gpy::rt {

Queue::~Queue() {
  if (Capture* known = capture(); known && known->began_on(*this)) known->give_up();
}

void Queue::begin_capture(const std::shared_ptr<Capture>& capture) {
  if (this->capture()) throw CudaError(CudaCode::kIllegalState, "the stream is capturing already");
  capture_ = capture;
}

RecordedWork Queue::end_capture() {
  if (Capture* known = capture()) return known->end(*this);
  throw CudaError(CudaCode::kIllegalState, "the stream is not capturing");
}

void Queue::require_no_capture() {
  Capture* const known = capture();
  if (!known) return;
  known->invalidate();
  throw CudaError(CudaCode::kStreamCaptureUnsupported);
}

void Event::record(Queue& queue) {
  Capture* const capture = queue.capture();
  if (!capture) record_in(queue);
  captured_ = capture != nullptr;
  if (!capture) return;
  point_ = capture->point(queue);
  capture_ = queue.capture_;
}

void Event::require_no_capture() const {
  if (captured_) throw CudaError(CudaCode::kCapturedEvent);
}

bool Event::done() {
  require_no_capture();
  return is_done();
}

void Event::synchronize() {
  require_no_capture();
  wait();
}

void Event::hold(Queue& queue) {
  Capture* const of_queue = queue.capture();
  if (!captured_ && !of_queue) return hold_queue(queue);
  const std::shared_ptr<Capture> capture = captured_ ? capture_.lock() : nullptr;
  if (!capture || !capture->active()) {
    if (of_queue) of_queue->invalidate();
    throw CudaError(of_queue ? CudaCode::kStreamCaptureIsolation : CudaCode::kCapturedEvent);
  }
  if (of_queue && of_queue != capture.get()) {
    of_queue->invalidate();
    throw CudaError(CudaCode::kStreamCaptureMerge);
  }
  queue.capture_ = capture;
  capture->wait(queue, point_);
}

float Event::since(Event& start) {
  require_no_capture();
  start.require_no_capture();
  return time_since(start);
}

static thread_local constinit const QueueSet* this_threads = nullptr;

QueueScope::QueueScope(const QueueSet* queues) noexcept
    : before_(std::exchange(this_threads, queues)) {}
QueueScope::~QueueScope() { this_threads = before_; }

const QueueSet* current_queue_set() noexcept { return this_threads; }

Queue* current_queue(Place place) noexcept {
  return this_threads ? (*this_threads)[place].get() : nullptr;
}

}  // namespace gpy::rt
