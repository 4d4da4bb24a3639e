// cupy.cuda.Device.
#include <algorithm>

#include "runtime/device_control.h"
#include "runtime/graph/evaluate.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/typed_native.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/cupy/raw_arguments.h"
#include "stdlib/native/cupy/runtime_state.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

namespace {

struct Device : Object {
  static constexpr ObjectLayout kLayout = kDeviceLayout;
  Device(Type* type, int index) : Object(type), index(index) {}
  int index;
  std::vector<int> before;  // the device that was current when each `with` began
};

Device& of(const Value& self) { return *self.as<Device>(); }

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
  const int before = session(vm).current_device;
  of(self).before.push_back(before);
  try {
    rt::use_device(session(vm), of(self).index);
  } catch (...) {  // a block that is not entered is not left
    of(self).before.pop_back();
    session(vm).current_device = before;
    throw;
  }
  return self;
}

bool exit(Interpreter& vm, const Value& self, const Value&) {
  if (of(self).before.empty()) vm.raise_runtime_error("{} was not entered", device_repr(vm, self));
  const int before = of(self).before.back();
  of(self).before.pop_back();
  rt::use_device(session(vm), before);
  return false;
}

Value use(Interpreter& vm, const Device& self) {
  rt::use_device(session(vm), self.index);
  return Value::none();
}

Value synchronize(Interpreter& vm, const Device& self) {
  synchronize_device(vm, self.index);
  return Value::none();
}

Value memory_info(Interpreter& vm, const Value& self) { return free_and_total(vm, of(self).index); }

Value compute_capability(Interpreter& vm, const Value& self) {
  const int number = backend_of(vm, of(self).index).device_info().compute_capability;
  return vm.str(fmt::format("{:02}", number));
}

Value pci_bus_id(Interpreter& vm, const Value& self) {
  return vm.str(backend_of(vm, of(self).index).control().pci_bus_id());
}

// Calls a function of cupy.cuda.device, which is written in gpy.
Value from_text(Interpreter& vm, const char* function, std::initializer_list<Value> arguments) {
  return vm.call_method(vm.import_module("cupy.cuda.device"), function, arguments);
}

Value attributes(Interpreter& vm, const Value& self) {
  return from_text(vm, "_attributes", {Value::integer(of(self).index)});
}

template <const char* kLibrary> Value handle(Interpreter& vm, const Value&) {
  return from_text(vm, "_no_handle", {vm.str(kLibrary)});
}
constexpr char kCublas[] = "cublas", kCusolver[] = "cusolver", kCusolverSp[] = "cusolver_sp",
               kCusparse[] = "cusparse", kCutensor[] = "cutensor";

Value from_pci_bus_id(Interpreter& vm, const Value& cls, const Value& pci_bus_id) {
  const Value runtime = vm.import_module("cupy.cuda.runtime");
  return vm.call(cls, {vm.call_method(runtime, "deviceGetByPCIBusId", {pci_bus_id})});
}

const Native kMethods[] = {
    {"use", "(self)", typed<use>, "Makes this device the current one."},
    {"synchronize", "(self)", typed<synchronize>, "Waits for what was given to the device."},
    {"from_pci_bus_id", "(cls, pci_bus_id)", typed<from_pci_bus_id>,
     "The device that is there on the bus: '0000:3B:00.0'.", Native::class_method},
};

const NativeGetter kGetters[] = {
    {"id", [](Interpreter&, const Value& self) { return Value::integer(of(self).index); }, nullptr,
     "The number of the device."},
    {"mem_info", memory_info, nullptr, "Free and total bytes of memory."},
    {"compute_capability", compute_capability, nullptr,
     "The architecture, '90': of the CPU the one whose kernels it runs."},
    {"pci_bus_id", pci_bus_id, nullptr, "Where the device is on its bus: '0000:3B:00.0'."},
    {"attributes", attributes, nullptr, "What the device tells of itself, by CUDA's names."},
    {"cublas_handle", handle<kCublas>, nullptr, "Not available: gpy calls cuBLAS itself."},
    {"cusolver_handle", handle<kCusolver>, nullptr, "Not available: gpy calls cuSOLVER itself."},
    {"cusolver_sp_handle", handle<kCusolverSp>, nullptr, "Not available."},
    {"cusparse_handle", handle<kCusparse>, nullptr, "Not available."},
    {"cutensor_handle", handle<kCutensor>, nullptr, "Not available."},
};

Value construct(Interpreter& vm, const Value&, const Value& device) {
  if (!is_given(device)) return make_device(vm, session(vm).current_device);
  return make_device(vm, device_argument(vm, device));
}

const Native kConstructor = {"Device", "(cls, device=None)", typed<construct>,
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

}  // namespace

Value free_and_total(Interpreter& vm, int device) {
  const rt::DeviceInfo info = backend_of(vm, device).device_info();
  return vm.tuple({Value::integer(static_cast<int64_t>(info.memory_free)),
                   Value::integer(static_cast<int64_t>(info.memory_total))});
}

Value make_device(Interpreter& vm, int index) { return vm.make<Device>(device_type(vm), index); }

int visible_devices(Interpreter& vm) { return std::max(1, session(vm).runtime().gpu_count()); }

void synchronize_device(Interpreter& vm, int index) {
  const rt::Place place = session(vm).place_of(rt::Space::on_device(index));
  if (rt::Queue* queue = session(vm).queues[place].get()) queue->require_no_capture();
  rt::launch_pending(session(vm), place);
  backend_of(vm, index).synchronize();
  call_due_functions(vm);
}

void add_device_classes(Interpreter& vm, Module& cuda) {
  cuda.set(vm, "Device", Value(static_cast<Object*>(device_type(vm))));
  register_cuda_runtime(vm);
}

}  // namespace gpy::lib
