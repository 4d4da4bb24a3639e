// cupy.cuda.runtime's functions of streams and events, which are named by their handles.
#include "runtime/core/cuda_error.h"
#include "runtime/device_control.h"
#include "runtime/graph/evaluate.h"
#include "src/array/read_arguments.h"
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

// A stream by its handle, with all that is to go there given to it. Holds it meanwhile.
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

Value stream_create(Interpreter& vm, Args) { return make_stream(vm, 0, {}); }
Value stream_create_with_flags(Interpreter& vm, Args args) {
  return make_stream(vm, flags_argument(vm, args[0]), {});
}
Value stream_create_with_priority(Interpreter& vm, Args args) {
  return make_stream(vm, flags_argument(vm, args[0]), vm.to_index(args[1]));
}

// Its work goes on; the queue lives until that is done.
Value stream_destroy(Interpreter& vm, Args args) {
  RuntimeState& state = runtime_state(vm);
  const auto stream = state.streams.find(address_argument(vm, args[0]));
  if (stream == state.streams.end()) throw rt::CudaError(rt::CudaCode::kInvalidResourceHandle);
  const rt::Place place = place_of_device(vm, stream->second.device);
  const rt::Ref<rt::Queue>& now = session(vm).queues[place];
  if (now && now->handle() == stream->first) rt::use_queue(session(vm), place, {});
  state.ended_streams.insert(stream->first);
  state.streams.erase(stream);
  return Value::none();
}

Value stream_synchronize(Interpreter& vm, Args args) {
  synchronize_queue(vm, Named(vm, args[0]).queue);
  return Value::none();
}

Value stream_query(Interpreter& vm, Args args) { return status(Named(vm, args[0]).queue.done()); }

Value stream_flags(Interpreter& vm, Args args) {
  const Named named(vm, args[0]);
  return Value::integer(backend_of_device(vm, kEveryDevice).control().stream_flags(named.queue));
}

Value stream_priority(Interpreter& vm, Args args) {
  const Named named(vm, args[0]);
  return Value::integer(backend_of_device(vm, kEveryDevice).control().stream_priority(named.queue));
}

// (stream, event, flags)
Value stream_wait_event(Interpreter& vm, Args args) {
  const Named named(vm, args[0]);
  event_argument_of(vm, args[1]).event->hold(named.queue);
  return Value::none();
}

// (stream, callback, arg, flags)
Value add_callback(Interpreter& vm, Args args) {
  const Named named(vm, args[0]);
  call_after(vm, named.queue, {&named.queue, args[1], {args[0], Value::integer(0), args[2]}});
  return Value::none();
}

// (stream, callback, arg)
Value launch_host_func(Interpreter& vm, Args args) {
  const Named named(vm, args[0]);
  call_after(vm, named.queue, {&named.queue, args[1], {args[2]}});
  return Value::none();
}

Value is_capturing(Interpreter& vm, Args args) {
  queue_of_handle(vm, address_argument(vm, args[0]));
  return Value::boolean(false);
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

Value event_create(Interpreter& vm, Args) { return create_event(vm, 0); }
Value event_create_with_flags(Interpreter& vm, Args args) {
  return create_event(vm, flags_argument(vm, args[0]));
}

// One that an Event has is that one's to end.
Value event_destroy(Interpreter& vm, Args args) {
  if (!event_argument_of(vm, args[0]).owned) {
    throw rt::CudaError(rt::CudaCode::kInvalidResourceHandle, "an Event object has it");
  }
  runtime_state(vm).events->erase(address_argument(vm, args[0]));
  return Value::none();
}

// (event, stream)
Value event_record(Interpreter& vm, Args args) {
  const KnownEvent& known = event_argument_of(vm, args[0]);
  const Named named(vm, args[1]);
  record_event(*known.event, known.device, named.queue, session(vm).current_device);
  return Value::none();
}

Value event_query(Interpreter& vm, Args args) {
  return status(event_argument_of(vm, args[0]).event->done());
}

Value event_synchronize(Interpreter& vm, Args args) {
  event_argument_of(vm, args[0]).event->synchronize();
  call_due_functions(vm);
  return Value::none();
}

// (start, end)
Value event_elapsed_time(Interpreter& vm, Args args) {
  const KnownEvent& start = event_argument_of(vm, args[0]);
  const KnownEvent& end = event_argument_of(vm, args[1]);
  if (start.device != end.device) throw rt::CudaError(rt::CudaCode::kInvalidResourceHandle);
  return Value::real(end.event->since(*start.event));
}

const Native kFunctions[] = {
    {"streamCreate", "()", stream_create, "Makes a stream of the current device."},
    {"streamCreateWithFlags", "(flags)", stream_create_with_flags, "Makes a stream."},
    {"streamCreateWithPriority", "(flags, priority)", stream_create_with_priority,
     "Makes a stream."},
    {"streamDestroy", "(stream)", stream_destroy, "Ends a stream once its work is done."},
    {"streamSynchronize", "(stream)", stream_synchronize, "Waits for a stream's work."},
    {"streamQuery", "(stream)", stream_query, "0, or errorNotReady while there is work."},
    {"streamGetFlags", "(stream)", stream_flags, "streamDefault or streamNonBlocking."},
    {"streamGetPriority", "(stream)", stream_priority, "The lower, the sooner."},
    {"streamWaitEvent", "(stream, event, flags=0)", stream_wait_event,
     "What the stream is given from now on waits for an event."},
    {"streamAddCallback", "(stream, callback, arg, flags=0)", add_callback,
     "Calls callback(stream, status, arg) after what was given so far."},
    {"launchHostFunc", "(stream, callback, arg)", launch_host_func,
     "Calls callback(arg) after what was given so far."},
    {"streamIsCapturing", "(stream)", is_capturing, "Never."},
    {"eventCreate", "()", event_create, "Makes an event."},
    {"eventCreateWithFlags", "(flags)", event_create_with_flags, "Makes an event."},
    {"eventDestroy", "(event)", event_destroy, "Ends an event."},
    {"eventRecord", "(event, stream)", event_record, "Records an event in a stream."},
    {"eventQuery", "(event)", event_query, "0, or errorNotReady until it has come."},
    {"eventSynchronize", "(event)", event_synchronize, "Waits for an event."},
    {"eventElapsedTime", "(start, end)", event_elapsed_time, "Milliseconds between two events."},
};

}  // namespace

std::span<const Native> runtime_stream_rows() { return kFunctions; }

}  // namespace gpy::lib
