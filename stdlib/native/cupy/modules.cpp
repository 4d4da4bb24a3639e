// cupy.cuda, cupyx and their parts.
#include "src/array/convert.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/scipy/open.h"

namespace gpy::lib {

namespace {

Value is_available(Interpreter& vm, Args) {
  return Value::boolean(session(vm).runtime().gpu_count() > 0);
}

const Native kCudaRows[] = {{"is_available", "()", is_available, "Whether there is a GPU."}};

constexpr std::string_view kCuda = "cupy.cuda";
constexpr char kCupyx[] = "cupyx";
constexpr char kCupyxScipy[] = "cupyx.scipy";

// A public name of a module that is written in gpy.
Value name_in_text(Interpreter& vm, Str* name, const char* module) {
  if (name->view().starts_with('_')) return Value();
  return vm.try_get_attribute(vm.import_module(module), name);
}

// Parts of a package are imported when they are first asked for.
Value find_part(Interpreter& vm, Module& module, Str* name) {
  const std::string full = fmt::format("{}.{}", module.name, name->view());
  for (const char* part : {"cupy.cuda._constants",    "cupy.cuda.runtime",
                           "cupy.cuda.device",        "cupy.cuda.stream",
                           "cupy.cuda.texture",       "cupy.cuda.driver",
                           "cupy.cuda.compiler",      "cupy.cuda.graph",
                           "cupy.cuda.nvtx",          "cupy.cuda.memory",
                           "cupy.cuda.memory_hook",   "cupy.cuda.memory_hooks",
                           "cupy.cuda.pinned_memory", "cupyx.jit",
                           "cupyx.profiler",          "cupyx.scipy",
                           "cupyx.scipy.fft",         "cupyx.scipy.fftpack",
                           "cupyx.scipy.signal",      "cupyx.scipy.sparse",
                           "cupyx.scipy.special"}) {
    if (full == part) return vm.import_module(full);
  }
  if (module.name == kCuda) return name_in_text(vm, name, "cupy.cuda._names");
  if (module.name != kCupyx) return Value();
  const bool is_pinned = name->view().ends_with("_pinned");
  return name_in_text(vm, name, is_pinned ? "cupyx._pinned" : "cupyx._names");
}

Value open_cuda(Interpreter& vm) {
  Ref<Module> cuda = vm.make_module("cupy.cuda", kCudaRows);
  add_device_classes(vm, *cuda);
  add_stream_classes(vm, *cuda);
  add_event_classes(vm, *cuda);
  add_graph_class(vm, *cuda);
  cuda->missing = find_part;
  return cuda;
}

Value open_graph(Interpreter& vm) {
  Ref<Module> graph = vm.make_module("cupy.cuda.graph");
  add_graph_class(vm, *graph);
  return graph;
}

Value open_compiler(Interpreter& vm) {
  Ref<Module> compiler = vm.make_module("cupy.cuda.compiler");
  compiler->set(vm, "CompileException", Value(static_cast<Object*>(arrays(vm).compile_error)));
  return compiler;
}

template <const char* kName> Value open_package(Interpreter& vm) {
  Ref<Module> package = vm.make_module(kName);
  package->missing = find_part;
  return package;
}

// `array.device`: a Device of cupy, and words for the other spaces.
Value device_of(Interpreter& vm, const Value& self) {
  const rt::Space space = as_ndarray(self)->array.space();
  if (space.is_device()) return make_device(vm, space.device);
  return vm.str(space.is_host() ? "cpu" : "auto");
}

const NativeGetter kDeviceGetter[] = {
    {"device", device_of, nullptr, "Where the array is: a Device, 'cpu' or 'auto'."}};

const NativeGetter kDataGetter[] = {
    {"data", data_of, nullptr, "A MemoryPointer to the first element."}};

}  // namespace

void register_cupy_modules(Interpreter& vm) {
  vm.register_module("cupy.cuda", open_cuda);
  vm.register_module("cupy.cuda.compiler", open_compiler);
  vm.register_module("cupy.cuda.graph", open_graph);
  vm.register_module("cupyx", open_package<kCupyx>);
  vm.register_module("cupyx.scipy", open_package<kCupyxScipy>);
  vm.register_module("cupyx.scipy.signal", open_cupyx_signal);
  vm.register_module("cupyx.scipy.special", open_cupyx_special);
  register_nvtx(vm);
  register_cuda_memory(vm);
  Arrays& state = arrays(vm);
  for (Type* type : {state.numpy_array, state.cupy_array, state.gp_array}) {
    type->getters.push_back(kDeviceGetter);
  }
  state.cupy_array->getters.push_back(kDataGetter);
}

}  // namespace gpy::lib
