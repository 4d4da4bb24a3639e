// cupy.cuda.Stream and ExternalStream: queues of the runtime. Where the
// CPU stands in for a GPU, work is done as it is given.
#include "stdlib/native/cupy/stream.h"

#include <algorithm>

#include "runtime/core/cuda_error.h"
#include "runtime/device_control.h"
#include "runtime/graph/evaluate.h"
#include "src/array/read_arguments.h"
#include "src/typed_native.h"
#include "stdlib/native/cupy/graph.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/cupy/runtime_state.h"
#include "stdlib/native/numpy/kept_type.h"

namespace gpy::lib {

namespace {

Stream& stream_of(const Value& self) { return *self.as<Stream>(); }

// What the null stream of a device stands for.
const rt::Ref<rt::Queue>& home_of(Interpreter& vm, int device) {
  const rt::Place place = place_of_device(vm, device);
  session(vm).backend(place);  // which gives the session its home there
  return session(vm).home[place];
}

}  // namespace

const rt::Ref<rt::Queue>& queue_of_stream(Interpreter& vm, Stream& stream) {
  if (stream.kind == Stream::Kind::kPerThread && !stream.queue) {
    stream.queue = backend_of_device(vm, kEveryDevice).make_queue({.external = kPerThreadStream});
  }
  if (stream.kind == Stream::Kind::kNull) return home_of(vm, kEveryDevice);
  return stream.queue;
}

namespace {

// --- Stream --------------------------------------------------------------------------------------

// The driver's legacy stream, which is a device's own, is 0.
uintptr_t address_of(Interpreter& vm, Stream& stream) {
  if (stream.kind == Stream::Kind::kPerThread) return kPerThreadStream;
  const rt::Ref<rt::Queue>& queue = queue_of_stream(vm, stream);
  return queue ? queue->handle() : 0;
}

std::string stream_repr(Interpreter& vm, const Value& self) {
  Stream& stream = stream_of(self);
  return fmt::format("<{} {} (device {})>", stream.type->name, address_of(vm, stream),
                     stream.device);
}

Value stream_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  const bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (!equality || !other.is<Stream>()) return Value::not_implemented();
  const bool same = address_of(vm, stream_of(self)) == address_of(vm, stream_of(other));
  return Value::boolean(same == (op == CompareOp::equal));
}

int64_t stream_hash(Interpreter& vm, const Value& self) {
  return static_cast<int64_t>(address_of(vm, stream_of(self)));
}

// The place where the stream's work goes. Raises if it is not on the current device.
rt::Place check_current(Interpreter& vm, const Stream& stream) {
  const int current = session(vm).current_device;
  if (stream.device != kEveryDevice && stream.device != current) {
    vm.raise_runtime_error(
        "The device that the stream is created on ({}) does not match with the current device ({})",
        stream.device, current);
  }
  return place_of_device(vm, stream.device);
}

Value stream_use(Interpreter& vm, const Value& self) {
  Stream& stream = stream_of(self);
  const rt::Place place = check_current(vm, stream);
  rt::use_queue(session(vm), place, queue_of_stream(vm, stream));
  return self;
}

Value enter(Interpreter& vm, const Value& self) {
  Stream& stream = stream_of(self);
  const rt::Place place = check_current(vm, stream);
  stream.before.emplace_back(place, session(vm).queues[place]);
  try {
    rt::use_queue(session(vm), place, queue_of_stream(vm, stream));
  } catch (...) {  // the block is not entered
    session(vm).queues[place] = std::move(stream.before.back().second);
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

Value stream_synchronize(Interpreter& vm, Stream& self) {
  synchronize_queue(vm, launched(vm, self));
  return Value::none();
}

Value stream_wait_event(Interpreter& vm, Stream& self, const Value& event) {
  event_argument(vm, event).event->hold(launched(vm, self));
  return Value::none();
}

int device_of(Interpreter& vm, const Stream& stream) {
  return stream.device == kEveryDevice ? session(vm).current_device : stream.device;
}

Value stream_record(Interpreter& vm, Stream& self, const Value& event) {
  Value recorded = is_given(event) ? event : make_event(vm, {});
  const Event& point = event_argument(vm, recorded);
  record_event(*point.event, point.device, launched(vm, self), device_of(vm, self));
  return recorded;
}

Value add_callback(Interpreter& vm, const Value& self, const Value& callback, const Value& arg) {
  rt::Queue& queue = launched(vm, stream_of(self));
  queue.require_no_capture();
  call_after(vm, queue, {&queue, callback, {self, Value::integer(0), arg}});
  return Value::none();
}

Value launch_host_func(Interpreter& vm, Stream& self, const Value& callback, const Value& arg) {
  rt::Queue& queue = launched(vm, self);
  call_on_host(vm, queue, {&queue, callback, {arg}});
  return Value::none();
}

Value stream_begin_capture(Interpreter& vm, Stream& self, const Value& mode) {
  constexpr int64_t kRelaxed = 2;
  rt::Queue* const queue = queue_of_stream(vm, self).get();
  if (self.kind == Stream::Kind::kNull || !queue) {
    vm.raise_runtime_error("cannot capture on the default (legacy) stream");
  }
  check_current(vm, self);
  begin_capture(vm, queue, is_given(mode) ? vm.to_index(mode) : kRelaxed);
  return Value::none();
}

Value stream_end_capture(Interpreter& vm, Stream& self) {
  check_current(vm, self);
  return make_graph(vm, end_capture(vm, queue_of_stream(vm, self).get()));
}

Value is_capturing(Interpreter& vm, Stream& self) {
  const rt::Ref<rt::Queue>& queue = queue_of_stream(vm, self);
  return Value::boolean(queue && queue->capture());
}

// CUDA gives up a capture whose stream is asked for its state.
Value stream_done(Interpreter& vm, const Value& self) {
  rt::Queue& queue = launched(vm, stream_of(self));
  if (rt::Capture* capture = queue.capture()) {
    capture->invalidate();
    return Value::boolean(false);
  }
  return Value::boolean(queue.done());
}

// The protocol's version and the handle.
Value cuda_stream(Interpreter& vm, Stream& self) {
  launched(vm, self);
  return vm.tuple({Value::integer(0), Value::integer(static_cast<int64_t>(address_of(vm, self)))});
}

Value from_external(Interpreter& vm, const Value&, const Value& obj);

const Native kStreamMethods[] = {
    {"synchronize", "(self)", typed<stream_synchronize>, "Waits for what was given to the stream."},
    {"use", "(self)", typed<stream_use>, "Makes this stream the current one of its device."},
    {"record", "(self, event=None)", typed<stream_record>,
     "Records an event after what was given so far."},
    {"wait_event", "(self, event)", typed<stream_wait_event>,
     "What the stream is given from now on waits for an event, on the device."},
    {"add_callback", "(self, callback, arg)", typed<add_callback>,
     "Calls callback(stream, status, arg) after what was given so far, at a step of the script."},
    {"launch_host_func", "(self, callback, arg)", typed<launch_host_func>,
     "Calls callback(arg) after what was given so far, at a step of the script."},
    {"is_capturing", "(self)", typed<is_capturing>,
     "Whether the stream's work is recorded for a graph."},
    {"begin_capture", "(self, mode=None)", typed<stream_begin_capture>,
     "Records what the stream is given from now on, instead of its being done. Arrays that are "
     "worked on stay in their memory; what needs a value is refused."},
    {"end_capture", "(self)", typed<stream_end_capture>,
     "Ends begin_capture(), and gives a Graph that does what was recorded each time it is "
     "launched."},
    {"__cuda_stream__", "(self)", typed<cuda_stream>,
     "The protocol's version and the stream's handle."},
    {"from_external", "(cls, obj)", typed<from_external>,
     "The stream of an object that has __cuda_stream__.", Native::class_method},
};

Value stream_ptr(Interpreter& vm, const Value& self) {
  launched(vm, stream_of(self));
  return Value::integer(static_cast<int64_t>(address_of(vm, stream_of(self))));
}

rt::DeviceControl& control_of(Interpreter& vm, const Stream& stream) {
  return backend_of_device(vm, stream.device).control();
}

Value stream_priority(Interpreter& vm, const Value& self) {
  Stream& stream = stream_of(self);
  const rt::Ref<rt::Queue>& queue = queue_of_stream(vm, stream);
  return Value::integer(queue ? control_of(vm, stream).stream_priority(*queue) : 0);
}

Value is_non_blocking(Interpreter& vm, const Value& self) {
  constexpr unsigned kNonBlocking = 1;
  Stream& stream = stream_of(self);
  const rt::Ref<rt::Queue>& queue = queue_of_stream(vm, stream);
  return Value::boolean(queue && control_of(vm, stream).stream_flags(*queue) & kNonBlocking);
}

const NativeGetter kStreamGetters[] = {
    {"ptr", stream_ptr, nullptr, "The driver's handle of the stream."},
    {"done", stream_done, nullptr, "Whether everything that was given to the stream is done."},
    {"device_id",
     [](Interpreter&, const Value& self) { return Value::integer(stream_of(self).device); },
     nullptr, "The device's number; -1 for streams that every device has."},
    {"priority", stream_priority, nullptr, "The priority: the lower, the sooner."},
    {"is_non_blocking", is_non_blocking, nullptr,
     "Whether the stream runs beside the null stream."},
};

Type* stream_type(Interpreter& vm);
Type* external_type(Interpreter& vm);

Value null_stream(Interpreter& vm) { return vm.make<Stream>(stream_type(vm), Stream::Kind::kNull); }

Value per_thread_stream(Interpreter& vm) {
  return vm.make<Stream>(stream_type(vm), Stream::Kind::kPerThread);
}

Value wrap_queue(Interpreter& vm, Type* type, int device, rt::Ref<rt::Queue> queue) {
  // The driver may have given a new stream the handle of one that was destroyed.
  if (queue) runtime_state(vm).ended_streams.erase(queue->handle());
  Ref<Stream> stream = vm.make<Stream>(type, Stream::Kind::kOfDevice);
  stream->device = device;
  stream->queue = std::move(queue);
  return stream;
}

Value construct_stream(Interpreter& vm, const Value&, bool null, const Value& non_blocking,
                       const Value& ptds, const Value& priority) {
  if (null) return null_stream(vm);
  if (vm.truth(ptds)) return per_thread_stream(vm);
  const int device = session(vm).current_device;
  rt::Backend& backend = backend_of_device(vm, device);
  rt::QueueOptions options{.blocking = !vm.truth(non_blocking)};
  if (is_given(priority)) {
    const auto [lowest, highest] = backend.queue_priorities();
    options.priority =
        static_cast<int>(std::clamp<int64_t>(vm.to_index(priority), highest, lowest));
  }
  return wrap_queue(vm, stream_type(vm), device, backend.make_queue(options));
}

const Native kStreamConstructor = {
    "Stream", "(cls, null=False, non_blocking=False, ptds=False, priority=None)",
    typed<construct_stream>,
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

Value external_stream(Interpreter& vm, int64_t handle, int device) {
  const rt::QueueOptions options{.external = static_cast<uintptr_t>(handle)};
  if (runtime_state(vm).ended_streams.contains(options.external)) {
    throw rt::CudaError(rt::CudaCode::kInvalidResourceHandle, "the stream was destroyed");
  }
  rt::Ref<rt::Queue> queue;  // null: the driver's legacy stream
  if (options.external == 0) queue = home_of(vm, device);
  if (options.external > kLegacyStream) queue = backend_of_device(vm, device).make_queue(options);
  return wrap_queue(vm, external_type(vm), device, std::move(queue));
}

Value construct_external(Interpreter& vm, const Value&, const Value& ptr,
                         std::optional<int64_t> device_id) {
  const int64_t given = device_id.value_or(kEveryDevice);
  const int device = given == kEveryDevice ? session(vm).current_device : static_cast<int>(given);
  if (device < 0 || device >= visible_devices(vm)) {
    vm.raise_value_error("there is no device {}", given);
  }
  return external_stream(vm, vm.to_index(ptr), device);
}

// The stream of the handle that obj.__cuda_stream__() gives.
Value from_external(Interpreter& vm, const Value&, const Value& obj) {
  Str* name = vm.intern("__cuda_stream__");
  const Value protocol = vm.try_get_attribute(obj, name);
  if (!protocol.is_defined()) {
    vm.raise_type_error("'{}' has no __cuda_stream__", vm.type_name(obj));
  }
  const std::vector<Value> told = vm.collect(vm.call(protocol));
  if (told.size() != 2 || vm.to_index(told[0]) != 0) {
    vm.raise_value_error("__cuda_stream__() should give (0, handle)");
  }
  return external_stream(vm, vm.to_index(told[1]), session(vm).current_device);
}

const Native kExternalConstructor = {
    "ExternalStream", "(cls, ptr, device_id=-1)", typed<construct_external>,
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

// --- the module ----------------------------------------------------------------------------------

Value get_current_stream(Interpreter& vm, int64_t device_id) {
  const int device = device_id < 0 ? session(vm).current_device : static_cast<int>(device_id);
  if (device >= visible_devices(vm)) vm.raise_value_error("there is no device {}", device_id);
  const rt::Place place = place_of_device(vm, device);
  const rt::Ref<rt::Queue>& queue = session(vm).queues[place];
  if (queue == session(vm).home[place]) return null_stream(vm);
  return wrap_queue(vm, stream_type(vm), device, queue);
}

const Native kFunctions[] = {
    {"get_current_stream", "(device_id=-1)", typed<get_current_stream>,
     "The stream that work goes to."},
};

}  // namespace

rt::Place place_of_device(Interpreter& vm, int device) {
  const int index = device == kEveryDevice ? session(vm).current_device : device;
  return session(vm).place_of(rt::Space::on_device(index));
}

rt::Backend& backend_of_device(Interpreter& vm, int device) {
  return session(vm).backend(place_of_device(vm, device));
}

rt::Queue& launched_queue(Interpreter& vm, rt::Place place, rt::Queue* queue) {
  if (session(vm).queues[place].get() == queue) rt::launch_pending(session(vm), place);
  return queue ? *queue : session(vm).backend(place).own_queue();
}

rt::Queue& launched(Interpreter& vm, Stream& stream) {
  return launched_queue(vm, place_of_device(vm, stream.device), queue_of_stream(vm, stream).get());
}

rt::Ref<rt::Queue> queue_of_handle(Interpreter& vm, uintptr_t handle) {
  if (handle == 0) return home_of(vm, kEveryDevice);
  if (handle == kLegacyStream) return {};
  RuntimeState& state = runtime_state(vm);
  if (state.ended_streams.contains(handle)) {
    throw rt::CudaError(rt::CudaCode::kInvalidResourceHandle, "the stream was destroyed");
  }
  const auto known = state.streams.find(handle);
  if (known != state.streams.end()) return known->second.queue;
  return backend_of_device(vm, kEveryDevice).make_queue({.external = handle});
}

void add_stream_classes(Interpreter& vm, Module& cuda) {
  Type* stream = stream_type(vm);
  stream->set_attribute(vm.intern("null"), null_stream(vm));
  stream->set_attribute(vm.intern("ptds"), per_thread_stream(vm));
  cuda.set(vm, "Stream", Value(static_cast<Object*>(stream)));
  cuda.set(vm, "ExternalStream", Value(static_cast<Object*>(external_type(vm))));
  cuda.rows.push_back(kFunctions);
}

}  // namespace gpy::lib
