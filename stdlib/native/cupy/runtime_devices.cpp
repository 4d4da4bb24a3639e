// cupy.cuda.runtime's functions of devices, and the argument readers of all its functions.
#include <algorithm>
#include <climits>

#include "runtime/core/cuda_error.h"
#include "runtime/cuda/inventory.h"
#include "runtime/device_control.h"
#include "runtime/graph/evaluate.h"
#include "src/array/read_arguments.h"
#include "src/typed_native.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/cupy/raw_arguments.h"
#include "stdlib/native/cupy/stream.h"

namespace gpy::lib {

namespace {

rt::DeviceControl& control(Interpreter& vm, const Value& device) {
  return backend_of_device(vm, device_argument(vm, device)).control();
}

rt::DeviceControl& current_control(Interpreter& vm) {
  return backend_of_device(vm, kEveryDevice).control();
}

int int_argument(Interpreter& vm, const Value& value) {
  return static_cast<int>(std::clamp<int64_t>(vm.to_index(value), INT_MIN, INT_MAX));
}

Value synchronize(Interpreter& vm) {
  synchronize_device(vm, session(vm).current_device);
  return Value::none();
}

Value device_count(Interpreter& vm) { return Value::integer(visible_devices(vm)); }

Value get_device(Interpreter& vm) { return Value::integer(session(vm).current_device); }

Value set_device(Interpreter& vm, const Value& device) {
  rt::use_device(session(vm), device_argument(vm, device));
  return Value::none();
}

Value attribute(Interpreter& vm, const Value& attrib, const Value& device) {
  return Value::integer(control(vm, device).attribute(int_argument(vm, attrib)));
}

// The properties that are not attributes: name, bytes of memory, uuid.
Value properties(Interpreter& vm, const Value& device) {
  rt::Backend& backend = backend_of_device(vm, device_argument(vm, device));
  const rt::DeviceInfo info = backend.device_info();
  const auto uuid = backend.control().uuid();
  return vm.tuple({vm.bytes(info.name), Value::integer(static_cast<int64_t>(info.memory_total)),
                   vm.bytes({reinterpret_cast<const char*>(uuid.data()), uuid.size()})});
}

Value pci_bus_id(Interpreter& vm, const Value& device) {
  return vm.str(control(vm, device).pci_bus_id());
}

Value can_access(Interpreter& vm, const Value& device, const Value& peer_device) {
  const int peer = device_argument(vm, peer_device);
  return Value::integer(control(vm, device).can_access(peer));
}

Value enable_access(Interpreter& vm, const Value& peer_device) {
  current_control(vm).enable_access(device_argument(vm, peer_device));
  return Value::none();
}

Value disable_access(Interpreter& vm, const Value& peer_device) {
  current_control(vm).disable_access(device_argument(vm, peer_device));
  return Value::none();
}

Value limit(Interpreter& vm, const Value& which) {
  return Value::integer(static_cast<int64_t>(current_control(vm).limit(int_argument(vm, which))));
}

Value set_limit(Interpreter& vm, const Value& which, const Value& value) {
  current_control(vm).set_limit(int_argument(vm, which), size_argument(vm, value));
  return Value::none();
}

Value driver_version(Interpreter& vm) {
  return Value::integer(current_control(vm).driver_version());
}

Value start_profiler(Interpreter& vm) {
  current_control(vm).start_profiler();
  return Value::none();
}

Value stop_profiler(Interpreter& vm) {
  current_control(vm).stop_profiler();
  return Value::none();
}

Value context(Interpreter& vm) {
  return Value::integer(static_cast<int64_t>(current_control(vm).context()));
}

// The text of an error's number, as the runtime's functions name it and as the driver's do.
Value error_text(Interpreter& vm, const Value& status) {
  return vm.str(rt::cuda_driver_error_text(int_argument(vm, status)));
}

Value is_gpu(Interpreter& vm) { return Value::boolean(session(vm).runtime().gpu_count() > 0); }

Value built_for(Interpreter&) { return Value::integer(rt::cuda_build_version()); }

const Native kFunctions[] = {
    {"deviceSynchronize", "()", typed<synchronize>, "Waits for the current device."},
    {"getDeviceCount", "()", typed<device_count>, "How many devices there are."},
    {"getDevice", "()", typed<get_device>, "The number of the current device."},
    {"setDevice", "(device)", typed<set_device>, "Makes a device the current one."},
    {"deviceGetAttribute", "(attrib, device)", typed<attribute>, "A fact about a device."},
    {"_device_properties", "(device)", typed<properties>, "Name, bytes of memory, uuid."},
    {"deviceGetPCIBusId", "(device)", typed<pci_bus_id>, "Where a device is on its bus."},
    {"deviceCanAccessPeer", "(device, peerDevice)", typed<can_access>,
     "1 where a device reaches another one's memory."},
    {"deviceEnablePeerAccess", "(peerDevice)", typed<enable_access>,
     "Lets the current device reach another one's memory."},
    {"deviceDisablePeerAccess", "(peerDevice)", typed<disable_access>,
     "Ends what deviceEnablePeerAccess began."},
    {"deviceGetLimit", "(limit)", typed<limit>, "A limit of the current device's."},
    {"deviceSetLimit", "(limit, value)", typed<set_limit>, "Sets a limit of the current device's."},
    {"driverGetVersion", "()", typed<driver_version>, "13000: of CUDA 13.0; 0 without a driver."},
    {"runtimeGetVersion", "()", typed<built_for>, "The CUDA that gpy was built for; 0 without."},
    {"profilerStart", "()", typed<start_profiler>, "Tells a profiler to begin."},
    {"profilerStop", "()", typed<stop_profiler>, "Tells a profiler to end."},
    {"_context", "()", typed<context>, "The current device's context."},
    {"_driver_error_text", "(status)", typed<error_text>, "As the driver names an error."},
    {"_is_gpu", "()", typed<is_gpu>, "False where the CPU stands in."},
};

Value open_runtime(Interpreter& vm) {
  Ref<Module> module = vm.make_module("_cuda_runtime", kFunctions);
  module->rows.push_back(runtime_memory_rows());
  module->rows.push_back(runtime_stream_rows());
  module->rows.push_back(runtime_graph_rows());
  module->rows.push_back(runtime_texture_rows());
  module->set(vm, "CUDARuntimeError", Value(static_cast<Object*>(arrays(vm).cuda_error)));
  return module;
}

}  // namespace

size_t size_argument(Interpreter& vm, const Value& value) {
  const int64_t number = vm.to_index(value);
  if (number < 0) vm.raise_overflow_error("can't convert negative value to size_t");
  return static_cast<size_t>(number);
}

uintptr_t address_argument(Interpreter& vm, const Value& value) {
  return static_cast<uintptr_t>(vm.to_index(value));
}

unsigned flags_argument(Interpreter& vm, const Value& value) {
  const int64_t number = vm.to_index(value);
  if (number < 0 || number > UINT_MAX) {
    vm.raise_overflow_error("value too large to convert to unsigned int");
  }
  return static_cast<unsigned>(number);
}

int device_argument(Interpreter& vm, const Value& value) {
  const int64_t number = vm.to_index(value);
  const int count = visible_devices(vm);
  if (number >= 0 && number < count) return static_cast<int>(number);
  throw rt::CudaError(rt::CudaCode::kInvalidDevice,
                      fmt::format("there is no device {} among {}", number, count));
}

void register_cuda_runtime(Interpreter& vm) { vm.register_module("_cuda_runtime", open_runtime); }

}  // namespace gpy::lib
