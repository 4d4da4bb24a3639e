#pragma once

// Queues are ordered work of a device: what is given to one is done in that order, and what is
// given to several runs side by side. Every device has one of its own; scripts and hosts make more.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

#include "runtime/core/capture.h"
#include "runtime/core/ref.h"
#include "runtime/core/space.h"

namespace gpy::rt {

struct QueueOptions {
  bool blocking = true;  // waits for the driver's default stream, which waits for it
  int priority = 0;      // lower runs first; within what the device knows
  // Not 0: the handle of somebody else's stream, who keeps it alive.
  uintptr_t external = 0;
};

class Queue : public RefCounted<Queue> {
 public:
  virtual ~Queue();
  static void destroy(Queue* queue) { delete queue; }

  // The capture that it takes part in; null where its work is done.
  Capture* capture() const {
    const std::shared_ptr<Capture> known = capture_.lock();
    return known && known->active() ? known.get() : nullptr;
  }
  // Throws CudaError where it takes part in one already. The capture is the caller's to keep: it
  // has memory that this queue uses.
  void begin_capture(const std::shared_ptr<Capture>& capture);
  // Throws CudaError where it takes part in none, or has not begun it.
  RecordedWork end_capture();
  // Throws CudaError, and ends a capture's chances, where it takes part in one.
  void require_no_capture();

  // Waits for all that was given to it.
  virtual void synchronize() = 0;
  // Whether all that was given to it is done.
  virtual bool done() = 0;
  // Makes later work of this queue wait, on the device, for the work that `other` has so far.
  virtual void follow(Queue& other) = 0;
  // Calls `function` once all work given so far is done, on a thread of the driver's or at once. It
  // must not use a device and must not throw; where the device is lost it is never called.
  virtual void call(std::function<void()> function) = 0;
  virtual int priority() const = 0;
  // The driver's stream; on the host a number of its own.
  virtual uintptr_t handle() const = 0;

 private:
  friend class Event;
  std::weak_ptr<Capture> capture_;
};

struct EventOptions {
  bool blocking = false;  // waiting threads sleep
  bool timed = true;
  bool interprocess = false;
};

// A point in a queue; in a queue that captures, one in the capture, which is never waited for here.
class Event : public RefCounted<Event> {
 public:
  virtual ~Event() = default;
  static void destroy(Event* event) { delete event; }

  // Puts the event behind all work of `queue`, of the event's device; a second call moves it.
  void record(Queue& queue);
  // An event that was never recorded is done.
  bool done();
  void synchronize();
  // Makes later work of `queue`, of any device, wait for the event; the queue takes part in the
  // event's capture from then on.
  void hold(Queue& queue);
  // Milliseconds from `start` to it. Throws kRuntime where one of them is not timed, was not
  // recorded or has not happened.
  float since(Event& start);
  virtual uintptr_t handle() const = 0;

 private:
  virtual void record_in(Queue& queue) = 0;
  virtual bool is_done() = 0;
  virtual void wait() = 0;
  virtual void hold_queue(Queue& queue) = 0;
  virtual float time_since(Event& start) = 0;
  void require_no_capture() const;

  bool captured_ = false;
  std::weak_ptr<Capture> capture_;
  Capture::Point point_;
};

// The queue that work goes to, for each place; null: the device's own.
using QueueSet = std::array<Ref<Queue>, kMaxPlaces>;

// While it lives, this thread's work goes to these queues. They may change meanwhile.
class QueueScope {
 public:
  explicit QueueScope(const QueueSet* queues) noexcept;
  ~QueueScope();
  QueueScope(const QueueScope&) = delete;
  QueueScope& operator=(const QueueScope&) = delete;

 private:
  const QueueSet* before_;
};

// This thread's queue of a place; null: the device's own.
Queue* current_queue(Place place) noexcept;
// All of them, as the innermost scope has them; null outside of any.
const QueueSet* current_queue_set() noexcept;

}  // namespace gpy::rt
