#pragma once
// Streams and events as objects of the script's, for the files that make and use them.

#include <memory>

#include "src/array/arrays.h"
#include "stdlib/native/cupy/runtime_state.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

inline constexpr int kEveryDevice = -1;
inline constexpr uintptr_t kLegacyStream = 1, kPerThreadStream = 2;  // the driver's handles of them

struct Stream : Object {
  static constexpr ObjectLayout kLayout = kStreamLayout;
  enum class Kind : uint8_t { kNull, kPerThread, kOfDevice };
  Stream(Type* type, Kind kind)
      : Object(type), runtime(session(*type->vm).shared_runtime()), kind(kind) {}

  const std::shared_ptr<rt::Runtime> runtime;  // its queues must end before it
  Kind kind;
  int device = kEveryDevice;  // kEveryDevice: the current one
  rt::Ref<rt::Queue> queue;   // null: the device's own; the threads' is made when it is first used
  // The queues that were current when each `with` began.
  std::vector<std::pair<rt::Place, rt::Ref<rt::Queue>>> before;
};

// An event of the device `device`; it can be named by its handle while it lives.
struct Event : Object {
  static constexpr ObjectLayout kLayout = kEventLayout;
  Event(Type* type, int device, rt::Ref<rt::Event> event);
  ~Event();
  const std::shared_ptr<rt::Runtime> runtime;  // its events must end before it
  const std::shared_ptr<KnownEvents> known;
  const int device;
  rt::Ref<rt::Event> event;
};

rt::Place place_of_device(Interpreter& vm, int device);  // kEveryDevice: the current one
rt::Backend& backend_of_device(Interpreter& vm, int device);

// A stream's queue, with its pending work launched.
rt::Queue& launched_queue(Interpreter& vm, rt::Place place, rt::Queue* queue);
rt::Queue& launched(Interpreter& vm, Stream& stream);
// Null: the device's own.
const rt::Ref<rt::Queue>& queue_of_stream(Interpreter& vm, Stream& stream);

// The queue of a stream by its handle; null: the current device's own. Throws CudaError for one
// that was destroyed.
rt::Ref<rt::Queue> queue_of_handle(Interpreter& vm, uintptr_t handle);

Value make_event(Interpreter& vm, const rt::EventOptions& options);
Event& event_argument(Interpreter& vm, const Value& value);
// Throws CudaError where the stream is another device's.
void record_event(rt::Event& event, int device, rt::Queue& queue, int queue_device);

}  // namespace gpy::lib
