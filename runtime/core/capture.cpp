#include "runtime/core/capture.h"

#include <algorithm>
#include <utility>

#include "runtime/core/cuda_error.h"
#include "runtime/core/queue.h"

namespace gpy::rt {

void Capture::add(const Queue& queue, std::function<void()> work) {
  work_.push_back(std::move(work));
  last_[&queue] = work_.size();
}

Capture::Point Capture::point(const Queue& queue) const {
  Point point;
  if (const auto found = reached_.find(&queue); found != reached_.end()) point = found->second;
  if (const auto last = last_.find(&queue); last != last_.end()) point[&queue] = last->second;
  return point;
}

// A queue that joins counts as having work: the end of its part must be waited for.
void Capture::wait(const Queue& queue, const Point& point) {
  if (&queue != first_) last_.try_emplace(&queue, 0);
  Point& reached = reached_[&queue];
  for (const auto& [of, position] : point) {
    size_t& known = reached[of];
    known = std::max(known, position);
  }
}

RecordedWork Capture::end(const Queue& queue) {
  if (&queue != first_) {
    invalidate();
    throw CudaError(CudaCode::kStreamCaptureUnmatched);
  }
  active_ = false;
  if (!valid_) throw CudaError(CudaCode::kStreamCaptureInvalidated);
  const Point& reached = reached_[first_];
  for (const auto& [of, last] : last_) {
    if (of == first_) continue;
    const auto found = reached.find(of);
    if (found == reached.end() || found->second < last)
      throw CudaError(CudaCode::kStreamCaptureUnjoined);
  }
  return std::move(work_);
}

static thread_local constinit Queue* this_threads = nullptr;

Capture* recording() noexcept { return this_threads ? this_threads->capture() : nullptr; }

void record(std::function<void()> work) {
  this_threads->capture()->add(*this_threads, std::move(work));
}

RecordScope::RecordScope(Queue* queue) noexcept
    : before_(std::exchange(this_threads, queue && queue->capture() ? queue : nullptr)) {}
RecordScope::~RecordScope() { this_threads = before_; }

}  // namespace gpy::rt
