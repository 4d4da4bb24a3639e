#include "src/kernel/compiled_objects.h"

#include "runtime/core/thread_pool.h"
#include "src/array/convert.h"
#include "src/calls/bind.h"
#include "src/calls/documentation.h"
#include "src/code.h"
#include "src/kernel/compiled_failures.h"
#include "src/kernel/compiled_results.h"
#include "src/kernel/compiled_versions.h"
#include "src/kernel/typed_arguments.h"
#include "src/loops/loop_watch.h"
#include "src/objects/function.h"
#include "src/translate/function_translator.h"
#include "src/translate/stencil.h"
#include "src/translate/translation.h"
#include "src/translate/type_specs.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

using rt::typed::Data;

[[noreturn]] void refuse_argument(Interpreter& vm, const CompiledObject& object, size_t i,
                                  const Value& value) {
  const Code& code = *object.function.as<Function>()->code;
  if (object.dialect != Dialect::kNumba)
    typed_argument(vm, object.dialect, value, code.name, code.parameters.names[i]->view());
  raise_typing_error(
      vm, fmt::format("non-precise type pyobject\nThis error may have been caused by the following "
                      "argument(s):\n- argument {}: Cannot determine Numba type of {}",
                      i, vm.repr(Value(vm.type_of(value)))));
}

CallArguments read_arguments(Interpreter& vm, const CompiledObject& object,
                             std::span<const Value> values) {
  CallArguments out;
  out.typed.reserve(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const bool is_static = is_known_argument(vm, values[i]);
    if (is_static) {
      out.statics.resize(values.size());
      out.statics[i] = values[i];
    }
    std::optional<TypedArgument> each =
        is_static ? TypedArgument{} : try_typed_argument(vm, object.dialect, values[i]);
    if (!each) refuse_argument(vm, object, i, values[i]);
    out.typed.push_back(std::move(*each));
  }
  return out;
}

// --- calls ---------------------------------------------------------------------------------------

// Whether the arguments are the values of the parameters as they stand.
bool takes_in_order(const Function& function, const CallArgs& arguments) {
  const FunctionParameters& parameters = function.code->parameters;
  return arguments.names.empty() && arguments.positional == parameters.count() &&
         arguments.positional == parameters.positional;
}

// The arguments for the parameters, in their order; `bound` keeps those that do not stand so.
std::span<const Value> bound_arguments(Interpreter& vm, const CompiledObject& object,
                                       const CallArgs& arguments, std::vector<Value>& bound) {
  Function& function = *object.function.as<Function>();
  if (object.stencil.is_defined() || takes_in_order(function, arguments))
    return arguments.positionals();
  Frame* frame = bind_function(vm, &function, Value(), arguments);
  for (uint32_t i = 0; i < function.code->parameters.count(); ++i)
    bound.push_back(std::move(frame->registers[i]));
  free_frame(frame);
  return bound;
}

// More parts than threads, so that they end at about the same time; a smaller number of threads is
// kept to by having no more parts.
int64_t parts_of_loops(Interpreter& vm) {
  const int64_t most = most_threads(), wanted = wanted_threads(vm);
  return wanted == most && most > 1 ? 8 * most : wanted;
}

void* random_state(Interpreter& vm) {
  std::vector<uint64_t>& state = arrays(vm).compiled_random;
  state.resize(rt::typed::kRandomBytes / sizeof(uint64_t));
  return state.data();
}

// A declared result is what the signature says.
Data as_result(const CompiledObject::Version& version, Data data) {
  const TypedType& made = version.code->entry().result;
  if (version.result.is_number() && made.is_number())
    data.number = data.number.cast(version.result.dtype);
  return data;
}

Value call_compiled(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  CompiledObject& object = *self.as<CompiledObject>();
  if (object.dialect == Dialect::kLanguage) return call_attended(vm, object.function, arguments);
  std::vector<Value> bound;
  const std::span<const Value> values = bound_arguments(vm, object, arguments, bound);
  CallArguments given = read_arguments(vm, object, values);
  const VersionPtr version = find_version(vm, object, given);
  std::vector<Data> data;
  data.reserve(given.typed.size());
  for (size_t i = 0; i < given.typed.size(); ++i) {
    if (given.typed[i].type.is_none()) continue;
    data.push_back(std::move(given.typed[i].data));
    read_fields(vm, version->types[i], data.back());
  }
  CompiledResults results(vm, object.dialect, values, data);
  const int64_t parts = version->code->is_parallel() ? parts_of_loops(vm) : 1;
  version->code->set_surroundings({parts, random_state(vm)});
  try {
    Data result = (*version->code)(
        session(vm), data, [&](auto printed) { print_all(vm, version->values, printed); }, true,
        [&](const auto& type, const auto& content) { results.write_back(type, content); });
    return results.value(version->result, as_result(*version, std::move(result)));
  } catch (const rt::typed::Raised& raised) {
    raise_failure(vm, version->values, raised);
  }
}

std::string show_compiled(Interpreter& vm, const Value& self) {
  const CompiledObject& object = *self.as<CompiledObject>();
  const std::string function = vm.repr(object.function);
  if (object.dialect == Dialect::kLanguage) return fmt::format("<compiled {}>", function);
  return fmt::format("CPUDispatcher({})", function);
}

Value compiled_attribute(Interpreter& vm, const Value& self, Str* name) {
  return vm.try_get_attribute(self.as<CompiledObject>()->function, name);
}

Value get_function(Interpreter&, const Value& self) { return self.as<CompiledObject>()->function; }

std::vector<VersionPtr> all_versions(const CompiledObject& object) {
  std::vector<VersionPtr> out = object.declared;
  out.insert(out.end(), object.made.begin(), object.made.end());
  return out;
}

// The types as objects of numba.types.
Value type_objects(Interpreter& vm, const std::vector<TypedType>& types) {
  const Value make = vm.get_attribute(vm.import_module("numba.core.types"), vm.intern("_of"));
  std::vector<Value> out;
  for (const TypedType& each : types) out.push_back(vm.call(make, {declared_spec(vm, each)}));
  return vm.tuple(out);
}

Value get_doc(Interpreter&, const Value& self) {
  return self.as<CompiledObject>()->function.as<Function>()->doc;
}

Value get_signatures(Interpreter& vm, const Value& self) {
  std::vector<Value> out;
  for (const VersionPtr& each : all_versions(*self.as<CompiledObject>()))
    out.push_back(type_objects(vm, each->types));
  return vm.list(std::move(out));
}

// The functions that have been compiled, as C++.
Value get_source(Interpreter& vm, const Value& self) {
  std::string out;
  for (const VersionPtr& each : all_versions(*self.as<CompiledObject>()))
    out += each->code->source();
  return vm.str(out);
}

Value get_stats(Interpreter& vm, const Value& self) {
  const Value make = vm.get_attribute(vm.import_module("numba._dispatch"), vm.intern("_stats"));
  return vm.call(make, {get_signatures(vm, self)});
}

Value recompile(Interpreter& vm, CompiledObject& self) {
  for (auto* list : {&self.made, &self.declared}) {
    for (VersionPtr& each : *list) {
      const TypedType result = each->result;
      auto again = std::make_shared<CompiledObject::Version>(
          *make_version(vm, self, each->types, each->statics));
      if (result.is_number()) again->result = result;
      each = std::move(again);
    }
  }
  self.last = nullptr;
  for (auto& [key, version] : self.versions) {
    for (const VersionPtr& each : self.made) {
      if (each->types == version->types &&
          statics_key(each->statics) == statics_key(version->statics))
        version = each;
    }
  }
  return Value::none();
}

Value disable_compile(Interpreter&, CompiledObject& self, bool disabled) {
  self.compiles = !disabled;
  return Value::none();
}

std::string types_text(const std::vector<TypedType>& types) {
  std::string out;
  for (const TypedType& each : types) out += (out.empty() ? "" : ", ") + numba_text(each);
  return fmt::format("({}{})", out, types.size() == 1 ? "," : "");
}

// The types of the variables of each version.
Value inspect_types(Interpreter& vm, CompiledObject& self) {
  const Value print = *vm.builtins->find(vm.intern("print"));
  for (const VersionPtr& each : all_versions(self)) {
    const rt::typed::Function& function = each->code->entry();
    std::string text =
        fmt::format("{} {}\n{}\n", function.name, types_text(each->types), std::string(80, '-'));
    for (const rt::typed::Variable& variable : function.variables) {
      if (!variable.name.starts_with("."))
        text += fmt::format("#   {} :: {}\n", variable.name, numba_text(variable.type));
    }
    text += fmt::format("#   returns :: {}", numba_text(each->result));
    vm.call(print, {vm.str(text)});
  }
  return Value::none();
}

constexpr Native kMethods[] = {
    {"inspect_types", "(self)", typed<inspect_types>,
     "Prints the types that the variables have been given, for each list of argument types."},
    {"recompile", "(self)", typed<recompile>,
     "Compiles anew what has been compiled: variables of the module are as they are now."},
    {"disable_compile", "(self, val=True)", typed<disable_compile>,
     "Refuses other argument types than those so far."},
};

Value get_text_signature(Interpreter& vm, const Value& self) {
  return vm.str(signature_of(vm, get_function(vm, self)));
}

constexpr NativeGetter kGetters[] = {
    {"__doc__", get_doc, nullptr, "The function's own."},
    {"__text_signature__", get_text_signature},
    {"py_func", get_function, nullptr, "The function as it was written."},
    {"stats", get_stats, nullptr, "How often it has been compiled."},
    {"source", get_source, nullptr, "What has been compiled, as C++."},
    {"nopython_signatures", get_signatures, nullptr,
     "The argument types that it has been compiled for."},
    {"signatures", get_signatures, nullptr, "The argument types that it has been compiled for."},
};

}  // namespace

int64_t most_threads() { return rt::wished_threads().value_or(rt::usable_cores()); }

int64_t wanted_threads(Interpreter& vm) {
  const int64_t wanted = arrays(vm).parallel_threads;
  return wanted ? wanted : most_threads();
}

Value make_compiled(Interpreter& vm, const Value& function, Dialect dialect,
                    const CompileOptions& options) {
  if (!function.is<Function>())
    vm.raise_type_error("a function is compiled, not a {}", vm.type_name(function));
  Ref<CompiledObject> out = vm.make<CompiledObject>(arrays(vm).compiled, function, dialect);
  out->options = options;
  return Value(out.get());
}

Value make_compiled_stencil(Interpreter& vm, const Value& spec) {
  const Value function(static_cast<Object*>(stencil_facts(vm, spec).function));
  const Value out = make_compiled(vm, function, Dialect::kNumba);
  out.as<CompiledObject>()->stencil = spec;
  return out;
}

void declare_signature(Interpreter& vm, const Value& compiled, std::span<const Value> types,
                       const Value& result) {
  CompiledObject& object = *compiled.as<CompiledObject>();
  std::vector<TypedType> parameters;
  for (const Value& each : types) parameters.push_back(declared_type(vm, each));
  const auto made = make_version(vm, object, std::move(parameters));
  auto version = std::make_shared<CompiledObject::Version>(*made);
  if (!result.is_none()) {
    const TypedType type = declared_type(vm, result);
    const bool fits = type.kind == made->result.kind;
    if (!fits)
      raise_typing_error(vm, fmt::format("No conversion from {} to {} for the result",
                                         numba_text(made->result), numba_text(type)));
    if (type.is_number()) version->result = type;
  }
  object.declared.push_back(std::move(version));
}

void* compiled_address(Interpreter& vm, const Value& compiled) {
  const auto& declared = compiled.as<CompiledObject>()->declared;
  const auto& version = declared.back();
  return version->code->address(session(vm).backend(rt::kHostPlace), version->result);
}

void setup_compiled(Arrays& state) {
  Slots slots;
  slots.call = call_compiled;
  slots.repr = show_compiled;
  slots.getattr = compiled_attribute;
  slots.traverse = traverse_compiled;
  state.compiled = state.vm.make_type<CompiledObject>({.name = "CPUDispatcher",
                                                       .module = "numba.core.registry",
                                                       .doc = "A function that is compiled for the "
                                                              "types of its arguments.",
                                                       .slots = slots,
                                                       .methods = kMethods,
                                                       .getters = kGetters});
}

}  // namespace gpy
