// cupy.cuda.Event: points in streams.
#include "runtime/core/cuda_error.h"
#include "runtime/graph/evaluate.h"
#include "src/array/read_arguments.h"
#include "src/typed_native.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/cupy/runtime_state.h"
#include "stdlib/native/cupy/stream.h"
#include "stdlib/native/numpy/kept_type.h"

namespace gpy::lib {

Event::Event(Type* type, int device, rt::Ref<rt::Event> event)
    : Object(type),
      runtime(session(*type->vm).shared_runtime()),
      known(runtime_state(*type->vm).events),
      device(device),
      event(std::move(event)) {
  (*known)[this->event->handle()] = {device, this->event.get(), {}};
}

Event::~Event() { known->erase(event->handle()); }

namespace {

Value event_record(Interpreter& vm, const Event& self, const Value& stream) {
  const int current = session(vm).current_device;
  if (is_given(stream)) {
    if (!stream.is<Stream>()) {
      vm.raise_type_error("a Stream is expected, not '{}'", vm.type_name(stream));
    }
    Stream& given = *stream.as<Stream>();
    const int device = given.device == kEveryDevice ? current : given.device;
    record_event(*self.event, self.device, launched(vm, given), device);
    return Value::none();
  }
  const rt::Place place = place_of_device(vm, current);
  rt::launch_pending(session(vm), place);
  record_event(*self.event, self.device, session(vm).backend(place).queue(), current);
  return Value::none();
}

Value event_synchronize(Interpreter& vm, const Event& self) {
  self.event->synchronize();
  call_due_functions(vm);
  return Value::none();
}

const Native kEventMethods[] = {
    {"record", "(self, stream=None)", typed<event_record>,
     "Records the event after what a stream, or the current one, was given so far."},
    {"synchronize", "(self)", typed<event_synchronize>, "Waits for the event."},
};
const NativeGetter kEventGetters[] = {
    {"done",
     [](Interpreter&, const Value& self) {
       return Value::boolean(self.as<Event>()->event->done());
     },
     nullptr, "Whether the event has come; true of one that was not recorded."},
    {"ptr",
     [](Interpreter&, const Value& self) {
       return Value::integer(static_cast<int64_t>(self.as<Event>()->event->handle()));
     },
     nullptr, "The driver's handle of the event."},
};

Value construct_event(Interpreter& vm, const Value&, bool block, bool disable_timing,
                      bool interprocess) {
  if (interprocess && !disable_timing) {
    vm.raise_value_error("Timing must be disabled for interprocess events");
  }
  return make_event(vm,
                    {.blocking = block, .timed = !disable_timing, .interprocess = interprocess});
}

const Native kEventConstructor = {"Event",
                                  "(cls, block=False, disable_timing=False, interprocess=False)",
                                  typed<construct_event>, "A point in a stream."};

Type* event_type(Interpreter& vm) {
  return kept_type(vm, "_Event", [&] {
    return vm.make_type<Event>({.name = "Event",
                                .module = "cupy.cuda.stream",
                                .doc = "A point in a stream.",
                                .methods = kEventMethods,
                                .getters = kEventGetters,
                                .constructor = &kEventConstructor});
  });
}

Value get_elapsed_time(Interpreter& vm, const Value& start_event, const Value& end_event) {
  const Event& start = event_argument(vm, start_event);
  const Event& end = event_argument(vm, end_event);
  if (start.device != end.device) throw rt::CudaError(rt::CudaCode::kInvalidResourceHandle);
  return Value::real(end.event->since(*start.event));
}

const Native kFunctions[] = {
    {"get_elapsed_time", "(start_event, end_event)", typed<get_elapsed_time>,
     "Milliseconds between two events that have come."},
};

}  // namespace

Value make_event(Interpreter& vm, const rt::EventOptions& options) {
  return vm.make<Event>(event_type(vm), session(vm).current_device,
                        backend_of_device(vm, kEveryDevice).make_event(options));
}

Event& event_argument(Interpreter& vm, const Value& value) {
  if (!value.is<Event>())
    vm.raise_type_error("an Event is expected, not '{}'", vm.type_name(value));
  return *value.as<Event>();
}

void record_event(rt::Event& event, int device, rt::Queue& queue, int queue_device) {
  if (device != queue_device) throw rt::CudaError(rt::CudaCode::kInvalidResourceHandle);
  event.record(queue);
}

void add_event_classes(Interpreter& vm, Module& cuda) {
  cuda.set(vm, "Event", Value(static_cast<Object*>(event_type(vm))));
  cuda.rows.push_back(kFunctions);
}

}  // namespace gpy::lib
