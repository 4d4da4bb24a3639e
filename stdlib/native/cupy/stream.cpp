// cupy.cuda.Stream and Event. Work goes to one stream a device; another Stream object orders
// nothing yet, and a script that waits for one waits for the device.
#include <chrono>

#include "src/array/read_arguments.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

namespace {

struct Stream : Object {
  static constexpr Layout kLayout = kStreamLayout;
  Stream(Type* type, int device) : Object(type), device(device) {}
  int device;
};

struct Event : Object {
  static constexpr Layout kLayout = kEventLayout;
  explicit Event(Type* type) : Object(type) {}
  std::chrono::steady_clock::time_point at;
  bool recorded = false;
};

std::string stream_repr(Interpreter&, const Value& self) {
  return fmt::format("<Stream 0 (device {})>", self.as<Stream>()->device);
}

Value stream_synchronize(Interpreter& vm, Args args) {
  synchronize_device(vm, args[0].as<Stream>()->device);
  return Value::none();
}

Value stream_use(Interpreter&, Args args) { return args[0]; }

// Everything before is done at a point in time that the host notes.
void record(Interpreter& vm, Event& event) {
  synchronize_device(vm, session(vm).current_device);
  event.at = std::chrono::steady_clock::now();
  event.recorded = true;
}

Value stream_record(Interpreter& vm, Args args);

Value enter(Interpreter&, const Value& self) { return self; }
bool exit(Interpreter&, const Value&, const Value&) { return false; }

const Native kStreamMethods[] = {
    {"synchronize", "(self)", stream_synchronize, "Waits for what was given to the stream."},
    {"use", "(self)", stream_use, "Makes this stream the current one."},
    {"record", "(self, event=None)", stream_record, "Notes an event after what was given so far."},
    {"wait_event", "(self, event)", [](Interpreter&, Args) { return Value::none(); },
     "Lets what comes wait for an event."},
};
const NativeGetter kStreamGetters[] = {
    {"ptr", [](Interpreter&, const Value&) { return Value::integer(0); }, nullptr,
     "The stream's address."},
    {"done", [](Interpreter&, const Value&) { return Value::boolean(true); }, nullptr,
     "Whether everything was done."},
};

Type* stream_type(Interpreter& vm);

Value make_stream(Interpreter& vm) {
  return vm.make<Stream>(stream_type(vm), session(vm).current_device);
}

const Native kStreamConstructor = {"Stream", "(cls, null=False, non_blocking=False, ptds=False)",
                                   [](Interpreter& vm, Args) { return make_stream(vm); },
                                   "A queue of work for a device."};

Type* stream_type(Interpreter& vm) {
  return kept_type(vm, "_Stream", [&] {
    return vm.make_type<Stream>({.name = "Stream",
                                 .module = "cupy.cuda.stream",
                                 .doc = "A queue of work for a device.",
                                 .slots = {.repr = stream_repr, .enter = enter, .exit = exit},
                                 .methods = kStreamMethods,
                                 .getters = kStreamGetters,
                                 .constructor = &kStreamConstructor});
  });
}

// --- events --------------------------------------------------------------------------------------

Value event_record(Interpreter& vm, Args args) {
  record(vm, *args[0].as<Event>());
  return Value::none();
}

const Native kEventMethods[] = {
    {"record", "(self, stream=None)", event_record, "Notes the event after what was given so far."},
    {"synchronize", "(self)", [](Interpreter&, Args) { return Value::none(); },
     "Waits for the event."},
};
const NativeGetter kEventGetters[] = {
    {"done",
     [](Interpreter&, const Value& self) { return Value::boolean(self.as<Event>()->recorded); },
     nullptr, "Whether the event has come."},
};

Type* event_type(Interpreter& vm);

const Native kEventConstructor = {
    "Event", "(cls, block=False, disable_timing=False, interprocess=False)",
    [](Interpreter& vm, Args) -> Value { return vm.make<Event>(event_type(vm)); },
    "A point in a stream."};

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

Value stream_record(Interpreter& vm, Args args) {
  Value event = is_given(args[1]) ? args[1] : Value(vm.make<Event>(event_type(vm)));
  if (!event.is<Event>())
    vm.raise_type_error("an Event is expected, not '{}'", vm.type_name(event));
  record(vm, *event.as<Event>());
  return event;
}

Value get_elapsed_time(Interpreter& vm, Args args) {
  for (size_t i = 0; i < 2; ++i) {
    if (!args[i].is<Event>() || !args[i].as<Event>()->recorded) {
      vm.raise_value_error("get_elapsed_time: two recorded events are expected");
    }
  }
  const std::chrono::duration<double, std::milli> time =
      args[1].as<Event>()->at - args[0].as<Event>()->at;
  return Value::real(time.count());
}

Value get_current_stream(Interpreter& vm, Args) { return make_stream(vm); }

const Native kFunctions[] = {
    {"get_current_stream", "(device_id=-1)", get_current_stream, "The stream that work goes to."},
    {"get_elapsed_time", "(start_event, end_event)", get_elapsed_time,
     "Milliseconds between events."},
};

}  // namespace

void add_stream_classes(Interpreter& vm, Module& cuda) {
  Type* stream = stream_type(vm);
  stream->set_attribute(vm.intern("null"), vm.make<Stream>(stream, session(vm).current_device));
  cuda.set(vm, "Stream", Value(static_cast<Object*>(stream)));
  cuda.set(vm, "Event", Value(static_cast<Object*>(event_type(vm))));
  cuda.rows.push_back(kFunctions);
}

}  // namespace gpy::lib
