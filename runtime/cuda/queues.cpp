#include "runtime/cuda/queues.h"

#include <algorithm>

#include "runtime/memory/pool.h"

namespace gpy::rt::cuda {
namespace {

// True for success, false for "not yet"; throws for anything else.
bool has_come(Context& context, CUresult code, const char* call) {
  if (code == CUDA_ERROR_NOT_READY) return false;
  context.check(code, call);
  return true;
}

}  // namespace

// The backend owns it: its other references never destroy it.
CudaQueue::CudaQueue(Context& context) : context_(context), stream_(context.own_stream()) {
  retain();
}

CudaQueue::CudaQueue(Context& context, QueueTable& table, const QueueOptions& options)
    : context_(context), table_(&table), priority_(options.priority) {
  const Context::Scope scope(context_);
  if (options.external != 0) {
    stream_ = reinterpret_cast<CUstream>(options.external);
    return;
  }
  GPY_CU(context_, cuStreamCreateWithPriority(
                       &stream_, options.blocking ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING,
                       options.priority));
  owned_ = {context_, stream_};
  follow(table.own_);  // a stream that ended may have had the same handle: plan_runner.h
}

CudaQueue::~CudaQueue() {
  if (table_) table_->remove(*this);
}

void CudaQueue::synchronize() {
  const Context::Scope scope(context_);
  GPY_CU(context_, cuStreamSynchronize(stream_));
}

bool CudaQueue::done() {
  const Context::Scope scope(context_);
  return has_come(context_, context_.driver().cuStreamQuery(stream_), "cuStreamQuery");
}

void CudaQueue::follow(Queue& other) {
  const std::lock_guard lock(mutex_);  // a device's own queue is every interpreter's
  const Context::Scope scope(context_);
  if (!point_) point_ = make_event(context_);
  GPY_CU(context_, cuEventRecord(point_.get(), stream_of(other)));
  GPY_CU(context_, cuStreamWaitEvent(stream_, point_.get(), 0));
}

// Works in the queue's own context: the legacy stream's handle is the same on every device.
void CudaQueue::wait_for(CUevent event) {
  const Context::Scope scope(context_);
  GPY_CU(context_, cuStreamWaitEvent(stream_, event, 0));
}

void CudaQueue::call(std::function<void()> function) {
  const Context::Scope scope(context_);
  context_.call_on(stream_, std::move(function));
}

Ref<Queue> QueueTable::make(const QueueOptions& options) {
  if (options.external == 0) return add(make_ref<CudaQueue>(context_, *this, options));
  // The driver's CU_STREAM_PER_THREAD is another stream in each thread.
  const bool named = options.external != reinterpret_cast<uintptr_t>(CU_STREAM_PER_THREAD);
  if (!named) return make_ref<CudaQueue>(context_, *this, options);
  const std::lock_guard lock(mutex_);
  CudaQueue*& known = queues_[options.external];
  if (known && known->try_retain()) return Ref<CudaQueue>::adopt(known);
  lent_.reserve(lent_.size() + 1);
  lent_.push_back(make_ref<CudaQueue>(context_, *this, options));
  known = lent_.back().get();
  return lent_.back();
}

Ref<Queue> QueueTable::make_for_graph() {
  Ref<Queue> queue = make({.blocking = false});
  pool_.keep_arena(queue.get());
  return queue;
}

// A lent stream of the same handle must have ended: it is removed.
Ref<CudaQueue> QueueTable::add(Ref<CudaQueue> queue) {
  Ref<CudaQueue> ended;  // goes when nobody holds the mutex
  const std::lock_guard lock(mutex_);
  const auto same = [&](const Ref<CudaQueue>& each) { return each->handle() == queue->handle(); };
  if (const auto place = std::ranges::find_if(lent_, same); place != lent_.end()) {
    ended = std::move(*place);
    lent_.erase(place);
  }
  queues_[queue->handle()] = queue.get();
  return queue;
}

void QueueTable::remove(CudaQueue& queue) noexcept {
  {
    const std::lock_guard lock(mutex_);
    const auto place = queues_.find(queue.handle());
    if (place != queues_.end() && place->second == &queue) queues_.erase(place);
  }
  const Context::Ending ending(context_);
  pool_.end_arena(&queue, [&] {
    if (ending) wait_on_device(queue);
  });
}

// Makes the device's own queue wait for the work in flight of `queue`. The host waits where the
// stream may be gone, or the device cannot wait.
void QueueTable::wait_on_device(CudaQueue& queue) noexcept {
  try {
    if (queue.is_lent()) GPY_CU(context_, cuCtxSynchronize());
    else own_.follow(queue);
  } catch (...) {
    context_.driver().cuCtxSynchronize();
  }
}

CudaEvent::CudaEvent(Context& context, const EventOptions& options)
    : context_(context), options_(options) {
  const Context::Scope scope(context_);
  CUevent event = nullptr;
  GPY_CU(context_, cuEventCreate(&event, (options.blocking ? CU_EVENT_BLOCKING_SYNC : 0) |
                                             (options.timed ? 0 : CU_EVENT_DISABLE_TIMING) |
                                             (options.interprocess ? CU_EVENT_INTERPROCESS : 0)));
  event_ = {context_, event};
}

void CudaEvent::record_in(Queue& queue) {
  const Context::Scope scope(context_);
  GPY_CU(context_, cuEventRecord(event_.get(), stream_of(queue)));
  recorded_ = true;
}

bool CudaEvent::is_done() {
  const Context::Scope scope(context_);
  return has_come(context_, context_.driver().cuEventQuery(event_.get()), "cuEventQuery");
}

void CudaEvent::wait() {
  const Context::Scope scope(context_);
  GPY_CU(context_, cuEventSynchronize(event_.get()));
}

void CudaEvent::hold_queue(Queue& queue) { static_cast<CudaQueue&>(queue).wait_for(event_.get()); }

// Throws the driver's error: a script sees from its call what was wrong.
float CudaEvent::time_since(rt::Event& start) {
  const Context::Scope scope(context_);
  float milliseconds = 0;
  const auto first = reinterpret_cast<CUevent>(start.handle());
  GPY_CU(context_, cuEventElapsedTime(&milliseconds, first, event_.get()));
  return milliseconds;
}

}  // namespace gpy::rt::cuda
