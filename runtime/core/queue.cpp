#include "runtime/core/queue.h"

#include <utility>

#include "runtime/core/cuda_error.h"

namespace gpy::rt {

Queue::~Queue() {
  if (capture_ && capture_->began_on(*this)) capture_->give_up();
}

void Queue::begin_capture(std::shared_ptr<Capture> capture) {
  if (this->capture()) throw CudaError(CudaCode::kIllegalState, "the stream is capturing already");
  capture_ = std::move(capture);
}

RecordedWork Queue::end_capture() {
  if (!capture()) throw CudaError(CudaCode::kIllegalState, "the stream is not capturing");
  return capture_->end(*this);
}

void Queue::require_no_capture() {
  if (!capture()) return;
  capture_->invalidate();
  throw CudaError(CudaCode::kStreamCaptureUnsupported);
}

void Event::record(Queue& queue) {
  capture_ = queue.capture() ? queue.capture_ : nullptr;
  if (capture_) point_ = capture_->point(queue);
  else record_in(queue);
}

void Event::require_no_capture() const {
  if (capture_) throw CudaError(CudaCode::kCapturedEvent);
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
  if (!capture_ && !of_queue) return hold_queue(queue);
  if (!capture_ || !capture_->active()) {
    if (of_queue) of_queue->invalidate();
    throw CudaError(of_queue ? CudaCode::kStreamCaptureIsolation : CudaCode::kCapturedEvent);
  }
  if (of_queue && of_queue != capture_.get()) {
    of_queue->invalidate();
    throw CudaError(CudaCode::kStreamCaptureMerge);
  }
  queue.capture_ = capture_;
  capture_->wait(queue, point_);
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
