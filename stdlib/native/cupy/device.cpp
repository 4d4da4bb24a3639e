// cupy.cuda.Device.
#include <algorithm>

#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

namespace {

struct Device : Object {
  static constexpr Layout kLayout = kDeviceLayout;
  Device(Type* type, int index) : Object(type), index(index) {}
  int index;
  std::vector<int> before;  // what was current when each `with` began
};

Device& of(const Value& self) { return *self.as<Device>(); }

void check_index(Interpreter& vm, int64_t index) {
  if (index >= 0 && index < visible_devices(vm)) return;
  vm.raise_runtime_error("cudaErrorInvalidDevice: invalid device ordinal (got {}, there {} {})",
                         index, visible_devices(vm) == 1 ? "is" : "are", visible_devices(vm));
}

rt::Backend& backend_of(Interpreter& vm, int index) {
  return session(vm).backend_of(rt::Space::on_device(index));
}

std::string device_repr(Interpreter&, const Value& self) {
  return fmt::format("<CUDA Device {}>", of(self).index);
}

Value device_compare(Interpreter&, CompareOp op, const Value& self, const Value& other) {
  if (!other.is<Device>()) return Value::not_implemented();
  const int a = of(self).index, b = of(other).index;
  switch (op) {
    case CompareOp::equal: return Value::boolean(a == b);
    case CompareOp::not_equal: return Value::boolean(a != b);
    case CompareOp::less: return Value::boolean(a < b);
    case CompareOp::less_equal: return Value::boolean(a <= b);
    case CompareOp::greater: return Value::boolean(a > b);
    case CompareOp::greater_equal: return Value::boolean(a >= b);
  }
  return Value::not_implemented();
}

int64_t device_hash(Interpreter&, const Value& self) { return of(self).index; }
Value device_to_int(Interpreter&, const Value& self) { return Value::integer(of(self).index); }

Value enter(Interpreter& vm, const Value& self) {
  of(self).before.push_back(session(vm).current_device);
  session(vm).current_device = of(self).index;
  return self;
}

bool exit(Interpreter& vm, const Value& self, const Value&) {
  if (of(self).before.empty()) vm.raise_runtime_error("{} was not entered", device_repr(vm, self));
  session(vm).current_device = of(self).before.back();
  of(self).before.pop_back();
  return false;
}

Value use(Interpreter& vm, Args args) {
  session(vm).current_device = of(args[0]).index;
  return Value::none();
}

Value synchronize(Interpreter& vm, Args args) {
  synchronize_device(vm, of(args[0]).index);
  return Value::none();
}

const Native kMethods[] = {
    {"use", "(self)", use, "Makes this device the current one."},
    {"synchronize", "(self)", synchronize, "Waits for what was given to the device."},
};

Value memory_info(Interpreter& vm, const Value& self) {
  const rt::DeviceInfo info = backend_of(vm, of(self).index).device_info();
  return vm.tuple({Value::integer(static_cast<int64_t>(info.memory_free)),
                   Value::integer(static_cast<int64_t>(info.memory_total))});
}

Value compute_capability(Interpreter& vm, const Value& self) {
  return vm.str(fmt::format("{}", backend_of(vm, of(self).index).device_info().compute_capability));
}

const NativeGetter kGetters[] = {
    {"id", [](Interpreter&, const Value& self) { return Value::integer(of(self).index); }, nullptr,
     "The number of the device."},
    {"mem_info", memory_info, nullptr, "Free and total bytes of memory."},
    {"compute_capability", compute_capability, nullptr, "The architecture: '90'."},
};

Value construct(Interpreter& vm, Args args) {
  const int64_t index = is_given(args[1]) ? vm.to_index(args[1]) : session(vm).current_device;
  check_index(vm, index);
  return make_device(vm, static_cast<int>(index));
}

const Native kConstructor = {"Device", "(cls, device=None)", construct,
                             "A device; `with Device(1):` makes it current inside."};

Type* device_type(Interpreter& vm) {
  return kept_type(vm, "_Device", [&] {
    return vm.make_type<Device>({.name = "Device",
                                 .module = "cupy.cuda",
                                 .doc = "A device that computes.",
                                 .slots = {.repr = device_repr,
                                           .hash = device_hash,
                                           .compare = device_compare,
                                           .index = device_to_int,
                                           .to_int = device_to_int,
                                           .enter = enter,
                                           .exit = exit},
                                 .methods = kMethods,
                                 .getters = kGetters,
                                 .constructor = &kConstructor});
  });
}

// --- cupy.cuda.runtime ---------------------------------------------------------------------------

Value device_synchronize(Interpreter& vm, Args) {
  synchronize_device(vm, session(vm).current_device);
  return Value::none();
}

Value get_device_count(Interpreter& vm, Args) { return Value::integer(visible_devices(vm)); }

Value get_device(Interpreter& vm, Args) { return Value::integer(session(vm).current_device); }

Value set_device(Interpreter& vm, Args args) {
  const int64_t index = vm.to_index(args[0]);
  check_index(vm, index);
  session(vm).current_device = static_cast<int>(index);
  return Value::none();
}

Value mem_get_info(Interpreter& vm, Args) {
  return memory_info(vm, make_device(vm, session(vm).current_device));
}

Value get_device_properties(Interpreter& vm, Args args) {
  const int64_t index = vm.to_index(args[0]);
  check_index(vm, index);
  const rt::DeviceInfo info = backend_of(vm, static_cast<int>(index)).device_info();
  Ref<Dict> properties = vm.dict();
  auto put = [&](const char* name, Value value) {
    properties->set(vm.intern(name), std::move(value));
  };
  put("name", vm.bytes(info.name));
  put("totalGlobalMem", Value::integer(static_cast<int64_t>(info.memory_total)));
  put("multiProcessorCount", Value::integer(info.multiprocessors));
  put("major", Value::integer(info.compute_capability / 10));
  put("minor", Value::integer(info.compute_capability % 10));
  return properties;
}

const Native kRuntime[] = {
    {"deviceSynchronize", "()", device_synchronize, "Waits for the current device."},
    {"getDeviceCount", "()", get_device_count, "How many devices there are."},
    {"getDevice", "()", get_device, "The number of the current device."},
    {"setDevice", "(device)", set_device, "Makes a device the current one."},
    {"memGetInfo", "()", mem_get_info, "Free and total bytes of the current device's memory."},
    {"getDeviceProperties", "(device)", get_device_properties, "What a device is, as a dict."},
};

Value open_runtime(Interpreter& vm) { return vm.make_module("cupy.cuda.runtime", kRuntime); }

}  // namespace

Value make_device(Interpreter& vm, int index) { return vm.make<Device>(device_type(vm), index); }

int visible_devices(Interpreter& vm) { return std::max(1, session(vm).runtime().gpu_count()); }

void synchronize_device(Interpreter& vm, int index) { backend_of(vm, index).synchronize(); }

void add_device_classes(Interpreter& vm, Module& cuda) {
  cuda.set(vm, "Device", Value(static_cast<Object*>(device_type(vm))));
  vm.register_module("cupy.cuda.runtime", open_runtime);
}

}  // namespace gpy::lib
