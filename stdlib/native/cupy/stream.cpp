// cupy.cuda.Stream, ExternalStream and Event: queues of the runtime and points in them. Where the
// CPU stands in for a GPU, work is done as it is given.
#include "src/array/read_arguments.h"
#include "runtime/graph/evaluate.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

namespace {

constexpr int kEveryDevice = -1;
constexpr uintptr_t kPerThreadStream = 2;  // the driver's handle of it

struct Stream : Object {
  static constexpr Layout kLayout = kStreamLayout;
  enum class Kind : uint8_t { kNull, kPerThread, kOfDevice };
  Stream(Type* type, Kind kind)
      : Object(type), runtime(session(*type->vm).shared_runtime()), kind(kind) {}

  const std::shared_ptr<rt::Runtime> runtime;  // whose queues must go before it
  Kind kind;
  int device = kEveryDevice;  // whichever is current
  bool non_blocking = false;
  rt::Ref<rt::Queue> queue;  // null: the device's own; the threads' is made when it is first used
  // What was current when each `with` began.
  std::vector<std::pair<rt::Place, rt::Ref<rt::Queue>>> before;
};

struct Event : Object {
  static constexpr Layout kLayout = kEventLayout;
  Event(Type* type, rt::Ref<rt::Event> event)
      : Object(type), runtime(session(*type->vm).shared_runtime()), event(std::move(event)) {}
  const std::shared_ptr<rt::Runtime> runtime;  // whose events must go before it
  rt::Ref<rt::Event> event;
};

Stream& stream_of(const Value& self) { return *self.as<Stream>(); }

rt::Place place_of(Interpreter& vm, int device) {
  const int index = device == kEveryDevice ? session(vm).current_device : device;
  return session(vm).place_of(rt::Space::on_device(index));
}

rt::Backend& backend_of(Interpreter& vm, int device) {
  return session(vm).backend(place_of(vm, device));
}

const rt::Ref<rt::Queue>& queue_of(Interpreter& vm, Stream& stream) {
  if (stream.kind == Stream::Kind::kPerThread && !stream.queue) {
    stream.queue = backend_of(vm, kEveryDevice).make_queue({.external = kPerThreadStream});
  }
  return stream.queue;
}

// The queue, with all that is to go there given to it.
rt::Queue& launched(Interpreter& vm, Stream& stream) {
  const rt::Place place = place_of(vm, stream.device);
  rt::Queue* queue = queue_of(vm, stream).get();
  if (session(vm).queues[place].get() == queue) rt::launch_pending(session(vm), place);
  return queue ? *queue : session(vm).backend(place).own_queue();
}

// --- Stream --------------------------------------------------------------------------------------

// The driver's legacy stream, which is a device's own, is 0.
uintptr_t address_of(const Stream& stream) {
  if (stream.kind == Stream::Kind::kPerThread) return kPerThreadStream;
  return stream.queue ? stream.queue->handle() : 0;
}

std::string stream_repr(Interpreter&, const Value& self) {
  const Stream& stream = stream_of(self);
  return fmt::format("<{} {} (device {})>", self.as<Stream>()->type->name, address_of(stream),
                     stream.device);
}

Value stream_compare(Interpreter&, CompareOp op, const Value& self, const Value& other) {
  const bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (!equality || !other.is<Stream>()) return Value::not_implemented();
  const bool same = address_of(stream_of(self)) == address_of(stream_of(other));
  return Value::boolean(same == (op == CompareOp::equal));
}

int64_t stream_hash(Interpreter&, const Value& self) {
  return static_cast<int64_t>(address_of(stream_of(self)));
}

// Where the stream's work would go.
rt::Place check_current(Interpreter& vm, const Stream& stream) {
  const int current = session(vm).current_device;
  if (stream.device != kEveryDevice && stream.device != current) {
    vm.raise_runtime_error(
        "the stream was created on device {} and cannot be used while device {} is current",
        stream.device, current);
  }
  return place_of(vm, stream.device);
}

Value stream_use(Interpreter& vm, Args args) {
  Stream& stream = stream_of(args[0]);
  const rt::Place place = check_current(vm, stream);
  rt::use_queue(session(vm), place, queue_of(vm, stream));
  return args[0];
}

Value enter(Interpreter& vm, const Value& self) {
  Stream& stream = stream_of(self);
  const rt::Place place = check_current(vm, stream);
  stream.before.emplace_back(place, session(vm).queues[place]);
  try {
    rt::use_queue(session(vm), place, queue_of(vm, stream));
  } catch (...) {
    stream.before.pop_back();
    throw;
  }
  return self;
}

bool exit(Interpreter& vm, const Value& self, const Value&) {
  Stream& stream = stream_of(self);
  if (stream.before.empty()) vm.raise_runtime_error("{} was not entered", stream_repr(vm, self));
  auto [place, queue] = std::move(stream.before.back());
  stream.before.pop_back();
  rt::use_queue(session(vm), place, std::move(queue));
  return false;
}

Value stream_synchronize(Interpreter& vm, Args args) {
  launched(vm, stream_of(args[0])).synchronize();
  return Value::none();
}

Event& event_argument(Interpreter& vm, const Value& value) {
  if (!value.is<Event>())
    vm.raise_type_error("an Event is expected, not '{}'", vm.type_name(value));
  return *value.as<Event>();
}

Value stream_wait_event(Interpreter& vm, Args args) {
  event_argument(vm, args[1]).event->hold(launched(vm, stream_of(args[0])));
  return Value::none();
}

Value make_event(Interpreter& vm, const rt::EventOptions& options);

Value stream_record(Interpreter& vm, Args args) {
  Stream& stream = stream_of(args[0]);
  Value event = is_given(args[1]) ? args[1] : make_event(vm, {});
  event_argument(vm, event).event->record(launched(vm, stream));
  return event;
}

const Native kStreamMethods[] = {
    {"synchronize", "(self)", stream_synchronize, "Waits for what was given to the stream."},
    {"use", "(self)", stream_use, "Makes this stream the current one of its device."},
    {"record", "(self, event=None)", stream_record,
     "Records an event after what was given so far."},
    {"wait_event", "(self, event)", stream_wait_event,
     "What the stream is given from now on waits for an event, on the device."},
};

Value stream_ptr(Interpreter& vm, const Value& self) {
  launched(vm, stream_of(self));
  return Value::integer(static_cast<int64_t>(address_of(stream_of(self))));
}

const NativeGetter kStreamGetters[] = {
    {"ptr", stream_ptr, nullptr, "The driver's handle of the stream."},
    {"done",
     [](Interpreter& vm, const Value& self) {
       return Value::boolean(launched(vm, stream_of(self)).done());
     },
     nullptr, "Whether everything that was given to the stream is done."},
    {"device_id",
     [](Interpreter&, const Value& self) { return Value::integer(stream_of(self).device); },
     nullptr, "The device's number; -1 for streams that every device has."},
    {"priority",
     [](Interpreter&, const Value& self) {
       const Stream& stream = stream_of(self);
       return Value::integer(stream.queue ? stream.queue->priority() : 0);
     },
     nullptr, "The priority: the lower, the sooner."},
    {"is_non_blocking",
     [](Interpreter&, const Value& self) { return Value::boolean(stream_of(self).non_blocking); },
     nullptr, "Whether the stream runs beside the null stream."},
};

Type* stream_type(Interpreter& vm);
Type* external_type(Interpreter& vm);

Value null_stream(Interpreter& vm) { return vm.make<Stream>(stream_type(vm), Stream::Kind::kNull); }

Value per_thread_stream(Interpreter& vm) {
  return vm.make<Stream>(stream_type(vm), Stream::Kind::kPerThread);
}

Value wrap_queue(Interpreter& vm, Type* type, int device, rt::Ref<rt::Queue> queue,
                 bool non_blocking = false) {
  Ref<Stream> stream = vm.make<Stream>(type, Stream::Kind::kOfDevice);
  stream->device = device;
  stream->queue = std::move(queue);
  stream->non_blocking = non_blocking;
  return stream;
}

Value construct_stream(Interpreter& vm, Args args) {
  if (vm.truth(args[1])) return null_stream(vm);
  if (vm.truth(args[3])) return per_thread_stream(vm);
  const int device = session(vm).current_device;
  rt::Backend& backend = backend_of(vm, device);
  const bool non_blocking = vm.truth(args[2]);
  rt::QueueOptions options{.blocking = !non_blocking};
  if (is_given(args[4])) {
    const auto [lowest, highest] = backend.queue_priorities();
    options.priority = static_cast<int>(std::clamp<int64_t>(vm.to_index(args[4]), highest, lowest));
  }
  return wrap_queue(vm, stream_type(vm), device, backend.make_queue(options), non_blocking);
}

const Native kStreamConstructor = {
    "Stream", "(cls, null=False, non_blocking=False, ptds=False, priority=None)", construct_stream,
    "A queue of work for the current device. Streams run side by side; an array that another "
    "stream's work makes is waited for on the device."};

Type* stream_type(Interpreter& vm) {
  return kept_type(vm, "_Stream", [&] {
    return vm.make_type<Stream>({.name = "Stream",
                                 .module = "cupy.cuda.stream",
                                 .doc = "A queue of work for a device.",
                                 .slots = {.repr = stream_repr,
                                           .hash = stream_hash,
                                           .compare = stream_compare,
                                           .enter = enter,
                                           .exit = exit},
                                 .methods = kStreamMethods,
                                 .getters = kStreamGetters,
                                 .constructor = &kStreamConstructor});
  });
}

Value construct_external(Interpreter& vm, Args args) {
  const int64_t given = is_given(args[2]) ? vm.to_index(args[2]) : kEveryDevice;
  const int device = given == kEveryDevice ? session(vm).current_device : static_cast<int>(given);
  if (device < 0 || device >= visible_devices(vm)) {
    vm.raise_value_error("there is no device {}", given);
  }
  const rt::QueueOptions options{.external = static_cast<uintptr_t>(vm.to_index(args[1]))};
  rt::Ref<rt::Queue> queue;  // 0: the null stream
  if (options.external != 0) queue = backend_of(vm, device).make_queue(options);
  return wrap_queue(vm, external_type(vm), device, std::move(queue));
}

const Native kExternalConstructor = {
    "ExternalStream", "(cls, ptr, device_id=-1)", construct_external,
    "A stream that somebody else made and keeps, by its driver's handle."};

Type* external_type(Interpreter& vm) {
  return kept_type(vm, "_ExternalStream", [&] {
    return vm.make_type<Stream>({.name = "ExternalStream",
                                 .module = "cupy.cuda.stream",
                                 .doc = "A stream that somebody else made.",
                                 .slots = {.repr = stream_repr,
                                           .hash = stream_hash,
                                           .compare = stream_compare,
                                           .enter = enter,
                                           .exit = exit},
                                 .methods = kStreamMethods,
                                 .getters = kStreamGetters,
                                 .constructor = &kExternalConstructor});
  });
}

// --- events --------------------------------------------------------------------------------------

Value event_record(Interpreter& vm, Args args) {
  Event& event = *args[0].as<Event>();
  if (is_given(args[1])) {
    if (!args[1].is<Stream>()) {
      vm.raise_type_error("a Stream is expected, not '{}'", vm.type_name(args[1]));
    }
    event.event->record(launched(vm, stream_of(args[1])));
    return Value::none();
  }
  const rt::Place place = place_of(vm, kEveryDevice);
  rt::launch_pending(session(vm), place);
  event.event->record(session(vm).backend(place).queue());
  return Value::none();
}

const Native kEventMethods[] = {
    {"record", "(self, stream=None)", event_record,
     "Records the event after what a stream, or the current one, was given so far."},
    {"synchronize", "(self)",
     [](Interpreter&, Args args) {
       args[0].as<Event>()->event->synchronize();
       return Value::none();
     },
     "Waits for the event."},
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

Value construct_event(Interpreter& vm, Args args) {
  return make_event(vm, {.blocking = vm.truth(args[1]),
                         .timed = !vm.truth(args[2]),
                         .interprocess = vm.truth(args[3])});
}

const Native kEventConstructor = {"Event",
                                  "(cls, block=False, disable_timing=False, interprocess=False)",
                                  construct_event, "A point in a stream."};

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

Value make_event(Interpreter& vm, const rt::EventOptions& options) {
  return vm.make<Event>(event_type(vm), backend_of(vm, kEveryDevice).make_event(options));
}

Value get_elapsed_time(Interpreter& vm, Args args) {
  Event& start = event_argument(vm, args[0]);
  return Value::real(event_argument(vm, args[1]).event->since(*start.event));
}

Value get_current_stream(Interpreter& vm, Args args) {
  const int64_t given = vm.to_index(args[0]);
  const int device = given < 0 ? session(vm).current_device : static_cast<int>(given);
  if (device >= visible_devices(vm)) vm.raise_value_error("there is no device {}", given);
  const rt::Ref<rt::Queue>& queue = session(vm).queues[place_of(vm, device)];
  if (!queue) return null_stream(vm);
  return wrap_queue(vm, stream_type(vm), device, queue);
}

const Native kFunctions[] = {
    {"get_current_stream", "(device_id=-1)", get_current_stream, "The stream that work goes to."},
    {"get_elapsed_time", "(start_event, end_event)", get_elapsed_time,
     "Milliseconds between two events that have come."},
};

}  // namespace

void add_stream_classes(Interpreter& vm, Module& cuda) {
  Type* stream = stream_type(vm);
  stream->set_attribute(vm.intern("null"), null_stream(vm));
  stream->set_attribute(vm.intern("ptds"), per_thread_stream(vm));
  cuda.set(vm, "Stream", Value(static_cast<Object*>(stream)));
  cuda.set(vm, "ExternalStream", Value(static_cast<Object*>(external_type(vm))));
  cuda.set(vm, "Event", Value(static_cast<Object*>(event_type(vm))));
  cuda.rows.push_back(kFunctions);
}

}  // namespace gpy::lib
