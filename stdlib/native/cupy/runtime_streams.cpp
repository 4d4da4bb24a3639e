// cupy.cuda.runtime's functions of streams and events, which are named by their handles.
#include "runtime/core/cuda_error.h"
#include "runtime/device_control.h"
#include "runtime/graph/evaluate.h"
#include "src/array/read_arguments.h"
#include "src/typed_native.h"
#include "stdlib/native/cupy/graph.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/cupy/raw_arguments.h"
#include "stdlib/native/cupy/stream.h"

namespace gpy::lib {

namespace {

Value handle_value(uintptr_t handle) { return Value::integer(static_cast<int64_t>(handle)); }

// cudaSuccess or cudaErrorNotReady.
Value status(bool done) {
  return Value::integer(done ? 0 : static_cast<int>(rt::CudaCode::kNotReady));
}

// A stream by its handle, with its pending work launched. Holds the stream while it lives.
struct Named {
  Named(Interpreter& vm, const Value& handle)
      : held(queue_of_handle(vm, address_argument(vm, handle))),
        queue(launched_queue(vm, place_of_device(vm, kEveryDevice), held.get())) {}
  const rt::Ref<rt::Queue> held;
  rt::Queue& queue;
};

KnownEvent& event_argument_of(Interpreter& vm, const Value& handle) {
  KnownEvents& events = *runtime_state(vm).events;
  const auto event = events.find(address_argument(vm, handle));
  if (event == events.end()) throw rt::CudaError(rt::CudaCode::kInvalidResourceHandle);
  return event->second;
}

// --- streams -------------------------------------------------------------------------------------

Value make_stream(Interpreter& vm, unsigned flags, std::optional<int64_t> priority) {
  constexpr unsigned kNonBlocking = 1;
  if (flags > kNonBlocking) throw rt::CudaError(rt::CudaCode::kInvalidValue);
  rt::Backend& backend = backend_of_device(vm, kEveryDevice);
  rt::QueueOptions options{.blocking = flags != kNonBlocking};
  if (priority) {
    const auto [lowest, highest] = backend.queue_priorities();
    options.priority = static_cast<int>(std::clamp<int64_t>(*priority, highest, lowest));
  }
  rt::Ref<rt::Queue> queue = backend.make_queue(options);
  RuntimeState& state = runtime_state(vm);
  const uintptr_t handle = queue->handle();
  state.streams.insert_or_assign(handle,
                                 RuntimeState::RawStream{session(vm).current_device, queue});
  state.ended_streams.erase(handle);
  return handle_value(handle);
}

Value stream_create(Interpreter& vm) { return make_stream(vm, 0, {}); }
Value stream_create_with_flags(Interpreter& vm, const Value& flags) {
  return make_stream(vm, flags_argument(vm, flags), {});
}
Value stream_create_with_priority(Interpreter& vm, const Value& flags, const Value& priority) {
  return make_stream(vm, flags_argument(vm, flags), vm.to_index(priority));
}

// The stream's work goes on; the queue lives until that is done.
Value stream_destroy(Interpreter& vm, const Value& stream) {
  RuntimeState& state = runtime_state(vm);
  const auto found = state.streams.find(address_argument(vm, stream));
  if (found == state.streams.end()) throw rt::CudaError(rt::CudaCode::kInvalidResourceHandle);
  const rt::Place place = place_of_device(vm, found->second.device);
  const rt::Ref<rt::Queue>& now = session(vm).queues[place];
  if (now && now->handle() == found->first) {
    rt::use_queue(session(vm), place, session(vm).home[place]);
  }
  state.ended_streams.insert(found->first);
  state.streams.erase(found);
  return Value::none();
}

Value stream_synchronize(Interpreter& vm, const Value& stream) {
  synchronize_queue(vm, Named(vm, stream).queue);
  return Value::none();
}

Value stream_query(Interpreter& vm, const Value& stream) {
  const Named named(vm, stream);
  named.queue.require_no_capture();
  return status(named.queue.done());
}

Value stream_flags(Interpreter& vm, const Value& stream) {
  const Named named(vm, stream);
  return Value::integer(backend_of_device(vm, kEveryDevice).control().stream_flags(named.queue));
}

Value stream_priority(Interpreter& vm, const Value& stream) {
  const Named named(vm, stream);
  return Value::integer(backend_of_device(vm, kEveryDevice).control().stream_priority(named.queue));
}

Value stream_wait_event(Interpreter& vm, const Value& stream, const Value& event, const Value&) {
  const Named named(vm, stream);
  event_argument_of(vm, event).event->hold(named.queue);
  return Value::none();
}

Value add_callback(Interpreter& vm, const Value& stream, const Value& callback, const Value& arg,
                   const Value&) {
  const Named named(vm, stream);
  named.queue.require_no_capture();
  call_after(vm, named.queue, {&named.queue, callback, {stream, Value::integer(0), arg}});
  return Value::none();
}

Value launch_host_func(Interpreter& vm, const Value& stream, const Value& callback,
                       const Value& arg) {
  const Named named(vm, stream);
  call_on_host(vm, named.queue, {&named.queue, callback, {arg}});
  return Value::none();
}

// --- events --------------------------------------------------------------------------------------

Value create_event(Interpreter& vm, unsigned flags) {
  constexpr unsigned kBlockingSync = 1, kDisableTiming = 2, kInterprocess = 4;
  const bool timed_between_processes = (flags & kInterprocess) && !(flags & kDisableTiming);
  if (flags > 7 || timed_between_processes) throw rt::CudaError(rt::CudaCode::kInvalidValue);
  rt::Ref<rt::Event> event = backend_of_device(vm, kEveryDevice)
                                 .make_event({.blocking = (flags & kBlockingSync) != 0,
                                              .timed = !(flags & kDisableTiming),
                                              .interprocess = (flags & kInterprocess) != 0});
  const uintptr_t handle = event->handle();
  (*runtime_state(vm).events)[handle] = {session(vm).current_device, event.get(), event};
  return handle_value(handle);
}

Value event_create(Interpreter& vm) { return create_event(vm, 0); }
Value event_create_with_flags(Interpreter& vm, const Value& flags) {
  return create_event(vm, flags_argument(vm, flags));
}

// An event that belongs to an Event object is not destroyed here.
Value event_destroy(Interpreter& vm, const Value& event) {
  if (!event_argument_of(vm, event).owned) {
    throw rt::CudaError(rt::CudaCode::kInvalidResourceHandle, "an Event object has it");
  }
  runtime_state(vm).events->erase(address_argument(vm, event));
  return Value::none();
}

Value event_record(Interpreter& vm, const Value& event, const Value& stream) {
  const KnownEvent& known = event_argument_of(vm, event);
  const Named named(vm, stream);
  record_event(*known.event, known.device, named.queue, session(vm).current_device);
  return Value::none();
}

Value event_query(Interpreter& vm, const Value& event) {
  return status(event_argument_of(vm, event).event->done());
}

Value event_synchronize(Interpreter& vm, const Value& event) {
  event_argument_of(vm, event).event->synchronize();
  call_due_functions(vm);
  return Value::none();
}

Value event_elapsed_time(Interpreter& vm, const Value& start, const Value& end) {
  const KnownEvent& first = event_argument_of(vm, start);
  const KnownEvent& last = event_argument_of(vm, end);
  if (first.device != last.device) throw rt::CudaError(rt::CudaCode::kInvalidResourceHandle);
  return Value::real(last.event->since(*first.event));
}

const Native kFunctions[] = {
    {"streamCreate", "()", typed<stream_create>, "Makes a stream of the current device."},
    {"streamCreateWithFlags", "(flags)", typed<stream_create_with_flags>, "Makes a stream."},
    {"streamCreateWithPriority", "(flags, priority)", typed<stream_create_with_priority>,
     "Makes a stream."},
    {"streamDestroy", "(stream)", typed<stream_destroy>, "Ends a stream once its work is done."},
    {"streamSynchronize", "(stream)", typed<stream_synchronize>, "Waits for a stream's work."},
    {"streamQuery", "(stream)", typed<stream_query>, "0, or errorNotReady while there is work."},
    {"streamGetFlags", "(stream)", typed<stream_flags>, "streamDefault or streamNonBlocking."},
    {"streamGetPriority", "(stream)", typed<stream_priority>, "The lower, the sooner."},
    {"streamWaitEvent", "(stream, event, flags=0)", typed<stream_wait_event>,
     "What the stream is given from now on waits for an event."},
    {"streamAddCallback", "(stream, callback, arg, flags=0)", typed<add_callback>,
     "Calls callback(stream, status, arg) after what was given so far."},
    {"launchHostFunc", "(stream, callback, arg)", typed<launch_host_func>,
     "Calls callback(arg) after what was given so far."},
    {"eventCreate", "()", typed<event_create>, "Makes an event."},
    {"eventCreateWithFlags", "(flags)", typed<event_create_with_flags>, "Makes an event."},
    {"eventDestroy", "(event)", typed<event_destroy>, "Ends an event."},
    {"eventRecord", "(event, stream)", typed<event_record>, "Records an event in a stream."},
    {"eventQuery", "(event)", typed<event_query>, "0, or errorNotReady until it has come."},
    {"eventSynchronize", "(event)", typed<event_synchronize>, "Waits for an event."},
    {"eventElapsedTime", "(start, end)", typed<event_elapsed_time>,
     "Milliseconds between two events."},
};

}  // namespace

std::span<const Native> runtime_stream_rows() { return kFunctions; }

}  // namespace gpy::lib
