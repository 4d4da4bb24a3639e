// RawKernel and the two ways to launch: kernel[grid, block](...) and CuPy's
// kernel(grid, block, args).
#include <array>
#include <cstdio>

#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/exceptions/ignored.h"
#include "src/kernel/inspection.h"
#include "src/kernel/kernel_objects.h"
#include "src/kernel/kernel_parameters.h"
#include "src/kernel/launch_arguments.h"
#include "src/kernel/on_stream.h"
#include "src/memory/traverse.h"
#include "src/objects/containers.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

// `stream` may be null.
Value launch(Interpreter& vm, rt::RawKernel& kernel, const rt::LaunchShape& shape,
             std::span<const Value> arguments, const Value* stream) {
  std::vector<rt::RawArgument> passed;
  passed.reserve(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const rt::RawParameter* known = kernel.parameter(i);
    passed.push_back(raw_argument(vm, arguments[i],
                                  {kernel.name(), i, known ? std::string_view(known->name) : ""}));
  }
  for (const Value& each : arguments) refuse_host_array(vm, each);
  rt::Session& runtime = session(vm);
  // What the script printed comes before what the kernel prints, and that before what follows.
  if (kernel.prints()) try_flush_out(vm);
  const Value done = on_stream(vm, stream, [&] {
    kernel.launch(runtime, shape, passed, runtime.device_space());
    return Value::none();
  });
  if (kernel.prints()) std::fflush(stdout);
  return done;
}

// --- RawKernel -----------------------------------------------------------------------------------

RawKernelObject& kernel_of(const Value& self) { return *self.as<RawKernelObject>(); }
const RawFacts& facts_of(const Value& self) { return *kernel_of(self).facts; }

Value call_raw(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  rt::RawKernel& kernel = *kernel_of(self).kernel;
  const LaunchArguments given = to_launch(vm, kernel.name(), arguments, 4);
  return launch(vm, kernel, given.shape, given.values, given.stream);
}

// kernel[grid, block], also with shared memory and a stream.
Value shape_raw(Interpreter& vm, const Value& self, const Value& key) {
  const RawKernelObject& object = kernel_of(self);
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
  const Value stream = items->size > 3 ? (*items)[3] : Value::none();
  return Value(vm.make<RawLaunchObject>(arrays(vm).raw_launch, object.kernel, shape, stream).get());
}

Value call_launch(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const RawLaunchObject& object = *self.as<RawLaunchObject>();
  if (!arguments.names.empty()) {
    vm.raise_type_error("kernel '{}' takes no keyword arguments", object.kernel->name());
  }
  return launch(vm, *object.kernel, object.shape, arguments.positionals(), &object.stream);
}

std::string show_raw(Interpreter&, const Value& self) {
  return fmt::format("<raw kernel {}>", kernel_of(self).kernel->name());
}

Value make_raw(Interpreter& vm, const Value&, const Value& code, const Value& name_text,
               const Value& options, std::string_view backend, bool translate_cucomplex,
               bool cooperative, bool jitify) {
  const std::string name = kernel_text(vm, name_text, "name");
  RawFacts facts;
  facts.code = kernel_text(vm, code, "code");
  facts.options = kernel_options(vm, options);
  facts.backend = kernel_backend(vm, backend);
  facts.translate_cucomplex = translate_cucomplex;
  facts.cooperative = cooperative;
  facts.jitify = jitify;
  auto module = make_raw_module(facts, "", name);
  return Value(vm.make<RawKernelObject>(arrays(vm).raw_kernel, std::move(module),
                                        std::make_shared<const RawFacts>(std::move(facts)), name)
                   .get());
}

constexpr Native kMakeRaw = {
    "RawKernel",
    "(cls, code, name, options=(), backend='nvrtc', *, translate_cucomplex=False, "
    "enable_cooperative_groups=False, jitify=False)",
    typed<make_raw>, "A kernel of whole CUDA source text, launched with a grid and a block."};

Value compile_raw(Interpreter& vm, RawKernelObject& self, const Value& log_stream) {
  std::string log;
  self.kernel->function(session(vm), session(vm).device_space(), &log);
  if (is_given(log_stream)) vm.call_method(log_stream, "write", {vm.str(log)});
  return Value::none();
}
constexpr Native kRawMethods[] = {
    {"compile", "(self, log_stream=None)", typed<compile_raw>,
     "Compiles the kernel for the current device now, and writes the compiler's messages."}};

// --- attributes of the compiled kernel ----------------------------------------------------------

std::shared_ptr<rt::UserFunction> compiled(Interpreter& vm, const Value& self) {
  return kernel_of(self).kernel->function(session(vm), session(vm).device_space());
}

template <size_t kIndex> Value read_attribute(Interpreter& vm, const Value& self) {
  return Value::integer(compiled(vm, self)->attribute(kAttributeNames[kIndex].attribute));
}

template <size_t kIndex>
void write_attribute(Interpreter& vm, const Value& self, const Value& item) {
  const int64_t value = vm.to_index(item);
  if (value != static_cast<int>(value))
    vm.raise_overflow_error("value too large to convert to int (got {})", value);
  compiled(vm, self)->set_attribute(kAttributeNames[kIndex].attribute, static_cast<int>(value));
}

template <size_t kIndex> constexpr NativeGetter attribute_getter() {
  constexpr AttributeName kOwn = kAttributeNames[kIndex];
  return {kOwn.name, read_attribute<kIndex>, kOwn.is_settable ? write_attribute<kIndex> : nullptr};
}

template <size_t... kIndex> constexpr auto attribute_getters(std::index_sequence<kIndex...>) {
  return std::array{attribute_getter<kIndex>()...};
}
constexpr auto kAttributes =
    attribute_getters(std::make_index_sequence<std::size(kAttributeNames)>());

Value raw_name(Interpreter& vm, const Value& self) {
  return vm.str(kernel_of(self).kernel->name());
}

constexpr NativeGetter kRawGetters[] = {
    {"name", raw_name},
    {"__name__", raw_name},
    {"kernel", [](Interpreter&, const Value& self) { return self; }},
    {"code",
     [](Interpreter& vm, const Value& self) { return text_or_none(vm, facts_of(self).code); }},
    {"file_path",
     [](Interpreter& vm, const Value& self) { return text_or_none(vm, facts_of(self).path); }},
    {"options",
     [](Interpreter& vm, const Value& self) { return text_tuple(vm, facts_of(self).options); }},
    {"backend", [](Interpreter& vm, const Value& self) { return vm.str(facts_of(self).backend); }},
    {"name_expressions",
     [](Interpreter& vm, const Value& self) {
       const auto& names = facts_of(self).name_expressions;
       return names ? text_tuple(vm, *names) : Value::none();
     }},
    {"translate_cucomplex",
     [](Interpreter&, const Value& self) {
       return Value::boolean(facts_of(self).translate_cucomplex);
     }},
    {"enable_cooperative_groups",
     [](Interpreter&, const Value& self) { return Value::boolean(facts_of(self).cooperative); }},
    {"jitify",
     [](Interpreter&, const Value& self) { return Value::boolean(facts_of(self).jitify); }},
};

}  // namespace

std::shared_ptr<rt::RawModule> make_raw_module(const RawFacts& facts, std::string binary,
                                               std::string name) {
  rt::RawSource source;
  source.code = facts.code;
  source.binary = std::move(binary);
  source.name = std::move(name);
  source.options = facts.options;
  source.instances = facts.name_expressions.value_or(std::vector<std::string>());
  source.translate_complex = facts.translate_cucomplex;
  source.cooperative = facts.cooperative;
  return std::make_shared<rt::RawModule>(std::move(source));
}

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
  state.raw_kernel->getters.push_back(kAttributes);
  add_inspection(*state.raw_kernel);
  Slots launch_slots;
  launch_slots.call = call_launch;
  launch_slots.traverse = traverse<&RawLaunchObject::stream>;
  state.raw_launch =
      vm.make_type<RawLaunchObject>({.name = "RawLaunch", .module = "cupy", .slots = launch_slots});
}

}  // namespace gpy
