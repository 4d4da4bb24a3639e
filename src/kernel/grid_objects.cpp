#include "src/kernel/grid_objects.h"

#include <algorithm>
#include <cstdio>

#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/code.h"
#include "src/exceptions/ignored.h"
#include "src/kernel/declared_types.h"
#include "src/kernel/host_arrays.h"
#include "src/kernel/inspection.h"
#include "src/kernel/kernel_objects.h"
#include "src/kernel/kernel_raises.h"
#include "src/kernel/launch_arguments.h"
#include "src/kernel/translated_elementwise.h"
#include "src/kernel/typed_arguments.h"
#include "src/memory/traverse.h"
#include "src/objects/function.h"
#include "src/run/frame.h"
#include "src/state.h"
#include "src/translate/intrinsic.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

// The defaults of the function for the parameters that a launch does not give.
std::vector<Value> with_defaults(const GridObject& kernel, std::span<const Value> given) {
  std::vector<Value> out(given.begin(), given.end());
  if (!kernel.origin.is<Function>()) return out;
  const auto& defaults = kernel.origin.as<Function>()->defaults;
  const size_t count = kernel.parameters.size(), first = count - std::min(count, defaults.size());
  while (out.size() < count && out.size() >= first) out.push_back(defaults[out.size() - first]);
  return out;
}

void check_count(Interpreter& vm, const GridObject& kernel, size_t given) {
  if (given == kernel.parameters.size()) return;
  vm.raise_type_error("{}() takes {} argument{} but {} {} given", kernel.name,
                      kernel.parameters.size(), kernel.parameters.size() == 1 ? "" : "s", given,
                      given == 1 ? "was" : "were");
}

// Lists, dictionaries and instances are the host's.
bool is_of_host(const TypedType& type) {
  return type.is_list() || type.is_map() || type.is_instance() ||
         (type.is_tuple() && std::ranges::any_of(type.items, is_of_host));
}

// Numbers become what the signature says. Of an array that follows C's order this is known,
// whatever the signature takes.
void become_declared(Interpreter& vm, const GridObject& kernel,
                     std::vector<TypedArgument>& arguments) {
  std::vector<TypedType> given;
  for (const TypedArgument& each : arguments) given.push_back(each.type);
  const auto types_of = [&](size_t i) -> const std::vector<TypedType>& {
    return kernel.declared[i];
  };
  choose_declared(vm, kernel.declared.size(), types_of, arguments);
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i].is_array()) arguments[i].type = given[i];
  }
}

std::vector<TypedArgument> read_arguments(Interpreter& vm, const GridObject& kernel,
                                          std::span<const Value> given) {
  const std::vector<Value> values = with_defaults(kernel, given);
  check_count(vm, kernel, values.size());
  std::vector<TypedArgument> out;
  for (size_t i = 0; i < values.size(); ++i) {
    if (kernel.dialect != Dialect::kNumba) refuse_host_array(vm, values[i]);
    out.push_back(typed_argument(vm, kernel.dialect, values[i], kernel.name, kernel.parameters[i]));
    if (is_of_host(out.back().type))
      vm.raise_type_error("{}: argument '{}' is {}, which no kernel takes", kernel.name,
                          kernel.parameters[i], rt::typed::type_text(out.back().type));
  }
  if (!kernel.declared.empty()) become_declared(vm, kernel, out);
  return out;
}

void launch_here(Interpreter& vm, GridObject& kernel, const rt::LaunchShape& shape,
                 std::span<const Value> values) {
  const std::vector<TypedArgument> arguments = read_arguments(vm, kernel, values);
  const std::shared_ptr<rt::typed::GridFunction> function = grid_version(vm, kernel, arguments);
  HostArrays host(session(vm));
  std::vector<rt::typed::Data> data;
  for (const TypedArgument& each : arguments) {
    data.push_back(each.data);
    host.send(data.back());
  }
  const KernelRaises raises(session(vm), *function, host.space());
  raises.add_to(data);
  // What the script printed comes before what the kernel prints, and that before what follows.
  if (function->prints()) try_flush_out(vm);
  function->launch(session(vm), shape, data, host.space());
  if (function->prints()) std::fflush(stdout);
  if (kernel.debug || rt::checks_launches(session(vm), host.space()))
    raises.check(vm, kernel.values[function.get()]);
  host.fetch();
}

// An int is a stream's address, of which 0 is the default one's.
bool is_stream(Interpreter& vm, const Value& stream) {
  if (stream.is_undefined() || stream.is_none() || stream.is_integer()) return false;
  if (!vm.try_get_attribute(stream, vm.intern("__enter__")).is_undefined() &&
      !vm.try_get_attribute(stream, vm.intern("synchronize")).is_undefined())
    return true;
  vm.raise_type_error("the stream of a launch is a stream, 0 or None, not {}",
                      vm.type_name(stream));
}

// Numba's order is [grid, block, stream, shared_mem], kernel blocks' [grid, block, shared_mem,
// stream].
Value shape_kernel(Interpreter& vm, const Value& self, const Value& key) {
  const GridObject& kernel = *self.as<GridObject>();
  Tuple* items = key.try_as<Tuple>();
  const uint32_t most = is_jit(kernel.dialect) ? 2 : 4;
  if (!items || items->size < 2 || items->size > most) {
    vm.raise_type_error("kernel '{}' takes [grid, block]{}", kernel.name,
                        most > 2 ? ", also with a stream and bytes of shared memory" : "");
  }
  rt::LaunchShape shape = to_launch_shape(vm, (*items)[0], (*items)[1]);
  const bool numba = kernel.dialect == Dialect::kNumba;
  const size_t shared = numba ? 3 : 2, stream = numba ? 2 : 3;
  if (items->size > shared && is_given((*items)[shared]))
    shape.shared_bytes = rt::make_shared_bytes(vm.to_index((*items)[shared]));
  return Value(vm.make<GridLaunchObject>(arrays(vm).grid_launch, self, shape,
                                         items->size > stream ? (*items)[stream] : Value())
                   .get());
}

// cupyx.jit's f[grid, block](arguments, shared_mem=0, stream=None)
Value call_jit_launch(Interpreter& vm, GridObject& kernel, rt::LaunchShape shape,
                      const CallArgs& arguments) {
  refuse_unknown(vm, kernel.name, arguments, {"shared_mem", "stream"});
  if (const Value* shared = given_keyword(arguments, "shared_mem"))
    shape.shared_bytes = rt::make_shared_bytes(vm.to_index(*shared));
  const Value* stream = given_keyword(arguments, "stream");
  launch_grid(vm, kernel, shape, stream ? *stream : Value(), arguments.positionals());
  return Value::none();
}

Value call_launch(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const GridLaunchObject& object = *self.as<GridLaunchObject>();
  GridObject& kernel = *object.kernel.as<GridObject>();
  if (is_jit(kernel.dialect)) return call_jit_launch(vm, kernel, object.shape, arguments);
  if (!arguments.names.empty())
    vm.raise_type_error("kernel '{}' takes no keyword arguments", kernel.name);
  launch_grid(vm, kernel, object.shape, object.stream, arguments.positionals());
  return Value::none();
}

// kernel(grid, block, args), as CuPy's kernels are called.
Value call_kernel(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  GridObject& kernel = *self.as<GridObject>();
  if (kernel.dialect == Dialect::kNumba) {
    vm.raise_value_error(
        "Kernel launch configuration was not specified. Use the syntax:\n\n"
        "kernel_function[blockspergrid, threadsperblock](arg0, arg1, ..., argn)");
  }
  const LaunchArguments given =
      to_launch(vm, kernel.name, arguments, is_jit(kernel.dialect) ? 5 : 4);
  launch_grid(vm, kernel, given.shape, given.stream ? *given.stream : Value(), given.values);
  return Value::none();
}

std::string show_kernel(Interpreter&, const Value& self) {
  return fmt::format("<raw kernel {}>", self.as<GridObject>()->name);
}

Value name_of(Interpreter& vm, const Value& self) { return vm.str(self.as<GridObject>()->name); }
// The function as it was written; a kernel statement has none.
Value function_of(Interpreter& vm, const Value& self) {
  const Value& origin = self.as<GridObject>()->origin;
  if (!origin.is<Function>()) vm.raise_attribute_error(self, vm.intern("py_func"));
  return origin;
}
Value doc_of(Interpreter&, const Value& self) {
  const Value& origin = self.as<GridObject>()->origin;
  return origin.is<Function>() ? origin.as<Function>()->doc : self.as<GridObject>()->doc;
}

std::string argument_text(const TypedType& type) {
  const bool strided = type.is_array() && !type.dense;
  return (strided ? "strided " : "") + rt::typed::type_text(type);
}

// What has been compiled: C++ text by the types of the arguments.
Value cached_codes(Interpreter& vm, const Value& self) {
  const GridObject& kernel = *self.as<GridObject>();
  if (kernel.versions.empty())
    vm.warn(vm.types.user_warning,
            "No codes are cached because compilation is deferred until the first function call.");
  const Ref<Dict> out = vm.dict();
  for (const auto& [key, function] : kernel.versions) {
    std::vector<Value> types;
    const rt::typed::Function& entry = function->entry();
    for (int i = 0; i < entry.parameters; ++i)
      types.emplace_back(vm.str(argument_text(entry.variables[static_cast<size_t>(i)].type)));
    out->set(vm, vm.tuple(types), vm.str(function->source()));
  }
  return Value(out.get());
}

Value cached_code(Interpreter& vm, const Value& self) {
  const GridObject& kernel = *self.as<GridObject>();
  if (kernel.versions.size() > 1)
    vm.warn(vm.types.user_warning,
            "The input types of the kernel could not be inferred. Please use `.cached_codes` "
            "instead.");
  const Value codes = cached_codes(vm, self);
  if (kernel.versions.empty()) vm.raise(vm.make_exception(vm.types.stop_iteration, ""));
  return vm.str(kernel.versions.begin()->second->source());
}

constexpr NativeGetter kGetters[] = {
    {"name", name_of},
    {"__name__", name_of},
    {"__doc__", doc_of},
    {"py_func", function_of},
    {"__wrapped__", function_of},
    {"cached_codes", cached_codes, nullptr,
     "The texts that have been compiled, by the types of the arguments."},
    {"cached_code", cached_code, nullptr, "The text that has been compiled."}};

void traverse_kernel(Object* self, Visit visit, void* context) {
  const auto& kernel = *static_cast<const GridObject*>(self);
  report(kernel.origin, visit, context);
  report(kernel.doc, visit, context);
  for (const auto& [function, values] : kernel.values) values.report(visit, context);
}

std::vector<std::string> names_of(std::span<const syntax::KernelParameter> list) {
  std::vector<std::string> out;
  for (const syntax::KernelParameter& each : list) out.emplace_back(each.name);
  return out;
}

}  // namespace

void launch_grid(Interpreter& vm, GridObject& kernel, const rt::LaunchShape& shape,
                 const Value& stream, std::span<const Value> arguments) {
  if (!is_stream(vm, stream)) return launch_here(vm, kernel, shape, arguments);
  vm.call_method(stream, "__enter__");
  try {
    launch_here(vm, kernel, shape, arguments);
  } catch (...) {
    vm.call_method(stream, "__exit__", {Value::none(), Value::none(), Value::none()});
    throw;
  }
  vm.call_method(stream, "__exit__", {Value::none(), Value::none(), Value::none()});
}

Value make_grid_kernel(Interpreter& vm, const syntax::KernelDef& def) {
  const Frame& frame = *vm.state().frame;
  TranslationSource source;
  source.name = def.name;
  source.tree = frame.code->tree;
  source.body = def.body;
  source.globals = frame.function->globals.get();
  std::vector<std::string> names = names_of(def.parameters);
  auto translate = [&vm, source, names](const std::vector<TypedType>& types) {
    std::vector<TypedParameter> parameters;
    for (size_t i = 0; i < names.size(); ++i) parameters.push_back({names[i], types[i]});
    return TranslatedFunction{
        translate_body(vm, Dialect::kNumpy, Target::kGrid, source, std::move(parameters), {}),
        true};
  };
  Ref<GridObject> kernel = vm.make<GridObject>(arrays(vm).grid_function, Dialect::kNumpy,
                                               std::string(def.name), names, std::move(translate));
  kernel->origin = Value(frame.function->globals.get());
  kernel->doc = docstring_of(vm, def);
  return Value(kernel.get());
}

Value make_grid_function(Interpreter& vm, const Value& function, Dialect dialect,
                         std::vector<std::string> options, bool debug) {
  if (!function.is<Function>())
    vm.raise_type_error("a kernel is made of a function, not of a {}", vm.type_name(function));
  Function* made = function.as<Function>();
  auto translate = [&vm, made, dialect](const std::vector<TypedType>& types) {
    return translate_function(vm, dialect, Target::kGrid, *made, types);
  };
  std::vector<std::string> names;
  for (const Str* each : made->code->parameters.names) names.emplace_back(each->view());
  Ref<GridObject> kernel = vm.make<GridObject>(arrays(vm).grid_function, dialect, made->code->name,
                                               std::move(names), std::move(translate));
  kernel->origin = function;
  kernel->options = std::move(options);
  kernel->debug = debug;
  return Value(kernel.get());
}

void setup_grid_kernels(Arrays& state) {
  Interpreter& vm = state.vm;
  setup_intrinsics(vm);
  Slots slots;
  slots.call = call_kernel;
  slots.getitem = shape_kernel;
  slots.repr = show_kernel;
  slots.traverse = traverse_kernel;
  state.grid_function =
      vm.make_type<GridObject>({.name = "GridKernel",
                                .module = "gpy",
                                .doc = "A kernel in gpy, launched with a grid and a block.",
                                .slots = slots,
                                .getters = kGetters});
  add_inspection(*state.grid_function);
  Slots launch_slots;
  launch_slots.call = call_launch;
  launch_slots.traverse = traverse<&GridLaunchObject::kernel, &GridLaunchObject::stream>;
  state.grid_launch = vm.make_type<GridLaunchObject>(
      {.name = "GridLaunch", .module = "gpy", .slots = launch_slots});
}

}  // namespace gpy
