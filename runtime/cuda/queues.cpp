#include "runtime/cuda/queues.h"

#include "runtime/memory/pool.h"

namespace gpy::rt::cuda {
namespace {

// True for success, false for "not yet"; throws for anything else.
bool has_come(Context& context, CUresult code, const char* call) {
  if (code == CUDA_ERROR_NOT_READY) return false;
  context.check(code, call);
  return true;
}

CUstream stream_of(const Queue& queue) { return reinterpret_cast<CUstream>(queue.handle()); }

}  // namespace

CudaQueue::CudaQueue(Context& context) : context_(context), stream_(context.own_stream()) {}

CudaQueue::CudaQueue(Context& context, MemoryPool& pool, Queue& own, const QueueOptions& options)
    : context_(context), pool_(&pool), own_(&own), priority_(options.priority) {
  const Context::Scope scope(context_);
  if (options.external != 0) {
    stream_ = reinterpret_cast<CUstream>(options.external);
    return;
  }
  GPY_CU(context_, cuStreamCreateWithPriority(
                       &stream_, options.blocking ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING,
                       options.priority));
  owned_ = {context_, stream_};
  follow(own);  // a stream that ended may have had the same handle: plan_runner.h
}

CudaQueue::~CudaQueue() {
  if (!pool_) return;
  const Context::Ending ending(context_);
  pool_->end_arena(this, [&] {
    if (!ending) return;
    try {
      own_->follow(*this);
    } catch (...) {  // then what it has in flight is waited for here
      context_.driver().cuStreamSynchronize(stream_);
    }
  });
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

CudaEvent::CudaEvent(Context& context, const EventOptions& options)
    : context_(context), options_(options) {
  const Context::Scope scope(context_);
  CUevent event = nullptr;
  GPY_CU(context_, cuEventCreate(&event, (options.blocking ? CU_EVENT_BLOCKING_SYNC : 0) |
                                             (options.timed ? 0 : CU_EVENT_DISABLE_TIMING) |
                                             (options.interprocess ? CU_EVENT_INTERPROCESS : 0)));
  event_ = {context_, event};
}

void CudaEvent::record(Queue& queue) {
  const Context::Scope scope(context_);
  GPY_CU(context_, cuEventRecord(event_.get(), stream_of(queue)));
  recorded_ = true;
}

bool CudaEvent::done() {
  const Context::Scope scope(context_);
  return has_come(context_, context_.driver().cuEventQuery(event_.get()), "cuEventQuery");
}

void CudaEvent::synchronize() {
  const Context::Scope scope(context_);
  GPY_CU(context_, cuEventSynchronize(event_.get()));
}

void CudaEvent::hold(Queue& queue) {
  const Context::Scope scope(context_);
  GPY_CU(context_, cuStreamWaitEvent(stream_of(queue), event_.get(), 0));
}

// In the driver's words: which call of a script's it is tells what was wrong.
float CudaEvent::since(rt::Event& start) {
  const Context::Scope scope(context_);
  float milliseconds = 0;
  const auto first = reinterpret_cast<CUevent>(start.handle());
  GPY_CU(context_, cuEventElapsedTime(&milliseconds, first, event_.get()));
  return milliseconds;
}

}  // namespace gpy::rt::cuda
