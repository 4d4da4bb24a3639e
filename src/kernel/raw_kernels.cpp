// RawKernel, RawModule and the two ways to launch: kernel[grid, block](...) and CuPy's
// kernel(grid, block, args).
#include "runtime/io/file.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/kernel/kernel_objects.h"
#include "src/kernel/launch_arguments.h"
#include "src/typed_native.h"
#include "src/types/file.h"
#include "src/types/system_text.h"

namespace gpy {

namespace {

void launch(Interpreter& vm, rt::RawKernel& kernel, const rt::LaunchShape& shape,
            std::span<const Value> arguments) {
  const std::vector<rt::Operand> operands = kernel_operands(vm, arguments);
  rt::Session& runtime = session(vm);
  for (const Value& each : arguments) refuse_host_array(vm, each);
  kernel.launch(runtime, shape, operands, runtime.device_space());
}

std::shared_ptr<rt::RawModule> make_source(Interpreter& vm, std::string source, std::string name,
                                           const Value& options) {
  return std::make_shared<rt::RawModule>(std::move(source), std::move(name),
                                         kernel_options(vm, options));
}

// --- RawKernel -----------------------------------------------------------------------------------

// kernel(grid, block, args, *, shared_mem=0)
Value call_raw(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  rt::RawKernel& kernel = *self.as<RawKernelObject>()->kernel;
  refuse_unknown(vm, kernel.name(), arguments, {"shared_mem"});
  if (arguments.positional < 3 || arguments.positional > 4) {
    vm.raise_type_error(
        "kernel '{}' is launched as {}[grid, block](arguments...) or {}(grid, block, "
        "(arguments...))",
        kernel.name(), kernel.name(), kernel.name());
  }
  rt::LaunchShape shape = to_launch_shape(vm, arguments.values[0], arguments.values[1]);
  const Value* shared =
      arguments.positional == 4 ? &arguments.values[3] : arguments.find_keyword("shared_mem");
  if (shared) shape.shared_bytes = rt::make_shared_bytes(vm.to_index(*shared));
  const std::vector<Value> values = vm.collect(arguments.values[2]);
  launch(vm, kernel, shape, values);
  return Value::none();
}

// kernel[grid, block], also with shared memory and a stream.
Value shape_raw(Interpreter& vm, const Value& self, const Value& key) {
  const RawKernelObject& object = *self.as<RawKernelObject>();
  Tuple* items = key.try_as<Tuple>();
  if (!items || items->size < 2 || items->size > 4) {
    vm.raise_type_error(
        "kernel '{}' takes [grid, block], [grid, block, shared_mem] or [grid, block, shared_mem, "
        "stream]",
        object.kernel->name());
  }
  rt::LaunchShape shape = to_launch_shape(vm, (*items)[0], (*items)[1]);
  if (items->size > 2 && is_given((*items)[2]))
    shape.shared_bytes = rt::make_shared_bytes(vm.to_index((*items)[2]));
  return Value(vm.make<RawLaunchObject>(arrays(vm).raw_launch, object.kernel, shape).get());
}

Value call_launch(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const RawLaunchObject& object = *self.as<RawLaunchObject>();
  if (!arguments.names.empty()) {
    vm.raise_type_error("kernel '{}' takes no keyword arguments", object.kernel->name());
  }
  launch(vm, *object.kernel, object.shape, arguments.positionals());
  return Value::none();
}

std::string show_raw(Interpreter&, const Value& self) {
  return fmt::format("<raw kernel {}>", self.as<RawKernelObject>()->kernel->name());
}

Value make_raw(Interpreter& vm, const Value&, const Value& code, const Value& name_text,
               const Value& options, const Value&, const Value&, const Value&, const Value&) {
  const std::string name = kernel_text(vm, name_text, "name");
  auto source = make_source(vm, kernel_text(vm, code, "code"), name, options);
  return Value(
      vm.make<RawKernelObject>(arrays(vm).raw_kernel, std::move(source), name, false).get());
}

constexpr Native kMakeRaw = {
    "RawKernel",
    "(cls, code, name, options=(), backend='nvrtc', *, translate_cucomplex=False, "
    "enable_cooperative_groups=False, jitify=False)",
    typed<make_raw>, "A kernel of whole CUDA source text, launched with a grid and a block."};

Value raw_name(Interpreter& vm, const Value& self) {
  return vm.str(self.as<RawKernelObject>()->kernel->name());
}
constexpr NativeGetter kRawGetters[] = {{"name", raw_name}, {"__name__", raw_name}};

Value compile_raw(Interpreter& vm, RawKernelObject& self) {
  self.kernel->compile(session(vm), session(vm).device_space());
  return Value::none();
}
constexpr Native kRawMethods[] = {
    {"compile", "(self)", typed<compile_raw>, "Compiles the kernel for the current device now."}};

// --- RawModule -----------------------------------------------------------------------------------

Value module_function(Interpreter& vm, RawModuleObject& object, std::string_view name) {
  return Value(vm.make<RawKernelObject>(arrays(vm).raw_kernel, object.module, std::string(name),
                                        object.checked)
                   .get());
}

Value get_function(Interpreter& vm, RawModuleObject& self, std::string_view text) {
  const std::string name = kernel_text(vm, text, "name");
  if (!rt::find_raw_parameters(self.module->source(), name)) {
    vm.raise_value_error("the module has no kernel named '{}'", name);
  }
  return module_function(vm, self, name);
}

Value compile_module(Interpreter&, const Value&, const Value&) { return Value::none(); }

// sums.sum_ker
Value module_attribute(Interpreter& vm, const Value& self, Str* name) {
  RawModuleObject& object = *self.as<RawModuleObject>();
  if (!rt::find_raw_parameters(object.module->source(), name->view())) return Value();
  return module_function(vm, object, name->view());
}

std::string show_module(Interpreter&, const Value& self) {
  return fmt::format("<raw kernel module {}>", self.as<RawModuleObject>()->name);
}

std::string read_source(Interpreter& vm, const Value& path) {
  const std::string code = rt::read_file(bytes_for_system(vm, vm.to_text(path, "path")));
  return kernel_text(vm, code, "code");
}

Value make_module(Interpreter& vm, const Value&, const Value& code, const Value& path,
                  const Value& options, const Value&, const Value&, const Value&, const Value&,
                  const Value&) {
  if (is_given(code) == is_given(path)) {
    vm.raise_type_error("RawModule takes exactly one of code and path");
  }
  const std::string source = is_given(code) ? kernel_text(vm, code, "code") : read_source(vm, path);
  return Value(vm.make<RawModuleObject>(arrays(vm).raw_module,
                                        make_source(vm, source, "module", options), "module", false)
                   .get());
}

constexpr Native kMakeModule = {
    "RawModule",
    "(cls, code=None, *, path=None, options=(), backend='nvrtc', translate_cucomplex=False, "
    "enable_cooperative_groups=False, name_expressions=None, jitify=False)",
    typed<make_module>, "CUDA source text with several kernels."};
constexpr Native kModuleMethods[] = {
    {"get_function", "(self, name)", typed<get_function>, "A kernel of the module by its name."},
    {"compile", "(self, log_stream=None)", typed<compile_module>,
     "Kernels are compiled when they are first launched."},
};

}  // namespace

void setup_raw_kernels(Arrays& state) {
  Interpreter& vm = state.vm;
  Slots kernel;
  kernel.call = call_raw;
  kernel.getitem = shape_raw;
  kernel.repr = show_raw;
  state.raw_kernel = vm.make_type<RawKernelObject>({.name = "RawKernel",
                                                    .module = "cupy",
                                                    .doc = kMakeRaw.doc,
                                                    .slots = kernel,
                                                    .methods = kRawMethods,
                                                    .getters = kRawGetters,
                                                    .constructor = &kMakeRaw});
  Slots launch_slots;
  launch_slots.call = call_launch;
  state.raw_launch =
      vm.make_type<RawLaunchObject>({.name = "RawLaunch", .module = "cupy", .slots = launch_slots});
  Slots module;
  module.getattr = module_attribute;
  module.repr = show_module;
  state.raw_module = vm.make_type<RawModuleObject>({.name = "RawModule",
                                                    .module = "cupy",
                                                    .doc = kMakeModule.doc,
                                                    .slots = module,
                                                    .methods = kModuleMethods,
                                                    .constructor = &kMakeModule});
}

}  // namespace gpy
