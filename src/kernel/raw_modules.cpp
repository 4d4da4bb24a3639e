// RawModule: kernels and variables of whole CUDA source, or of a file with a GPU's code.
#include <fmt/ranges.h>

#include "runtime/io/file.h"
#include "runtime/kernel/global_variables.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/kernel/kernel_objects.h"
#include "src/kernel/kernel_parameters.h"
#include "src/typed_native.h"
#include "src/types/file.h"
#include "src/types/system_text.h"

namespace gpy {

namespace {

RawModuleObject& module_of(const Value& self) { return *self.as<RawModuleObject>(); }

// --- kernels -------------------------------------------------------------------------------------

Value module_function(Interpreter& vm, RawModuleObject& object, std::string_view name) {
  return Value(vm.make<RawKernelObject>(arrays(vm).raw_kernel, object.module, object.facts,
                                        std::string(name))
                   .get());
}

// Instances of templates, and what a GPU's code holds, are known once they have been looked up.
Value get_function(Interpreter& vm, RawModuleObject& self, std::string_view text) {
  const std::string name = kernel_text(vm, text, "name");
  const bool is_source = !self.facts->code.empty();
  if (is_source && !rt::find_raw_parameters(self.facts->code, name)) {
    const std::vector<std::string> known = rt::find_kernel_names(self.facts->code);
    vm.raise_value_error(
        "the module has no kernel named '{}'{}", name,
        known.empty() ? ", nor any other" : fmt::format(": it has {}", fmt::join(known, ", ")));
  }
  const Value function = module_function(vm, self, name);
  if (!is_source || rt::is_instance_name(name)) {
    function.as<RawKernelObject>()->kernel->function(session(vm), session(vm).device_space());
  }
  return function;
}

// --- variables -----------------------------------------------------------------------------------

// A MemoryPointer over a variable, which keeps the module.
Value pointer_to(Interpreter& vm, const Value& module, const rt::GlobalVariable& variable) {
  const Value memory = vm.import_module("cupy.cuda.memory");
  const Value block =
      vm.call(vm.get_attribute(memory, "UnownedMemory"),
              {Value::integer(static_cast<int64_t>(reinterpret_cast<uintptr_t>(variable.address))),
               Value::integer(static_cast<int64_t>(variable.bytes)), module,
               Value::integer(session(vm).current_device)});
  return vm.call(vm.get_attribute(memory, "MemoryPointer"), {block, Value::integer(0)});
}

rt::GlobalVariable find_variable(Interpreter& vm, RawModuleObject& object,
                                 const std::string& name) {
  rt::Session& runtime = session(vm);
  const auto found = object.module->global(runtime, runtime.place_of(runtime.device_space()), name);
  if (!found) vm.raise_value_error("the module has no variable named '{}'", name);
  return *found;
}

Value get_global(Interpreter& vm, const Value& self, std::string_view text) {
  const std::string name = kernel_text(vm, text, "name");
  return pointer_to(vm, self, find_variable(vm, module_of(self), name));
}

// The extents as they are written, where they are numbers, and else one axis.
std::vector<int64_t> shape_of(const rt::GlobalDeclaration& declared, int64_t count) {
  std::vector<int64_t> shape;
  int64_t product = 1;
  for (const std::string& each : declared.extents) {
    const bool is_number =
        !each.empty() && each.size() < 10 && each.find_first_not_of("0123456789") == each.npos;
    shape.push_back(is_number ? std::stoll(each) : 0);
    product *= shape.back();
  }
  return product == count ? shape : std::vector<int64_t>{count};
}

// An array over a variable of numbers; a pointer to others.
Value variable_as_value(Interpreter& vm, const Value& self, const rt::GlobalDeclaration& declared) {
  const rt::GlobalVariable variable = find_variable(vm, module_of(self), declared.name);
  const Value pointer = pointer_to(vm, self, variable);
  const std::optional<rt::DType> dtype = rt::c_dtype(declared.type);
  if (!dtype) return pointer;
  const int64_t count = static_cast<int64_t>(variable.bytes) / rt::item_size(*dtype);
  const Value shape = shape_tuple(vm, shape_of(declared, count));
  return vm.call(Value(arrays(vm).cupy_array), {shape, wrap_dtype(vm, *dtype), pointer});
}

// sums.sum_ker, sums.weights
Value module_attribute(Interpreter& vm, const Value& self, Str* name) {
  RawModuleObject& object = module_of(self);
  const std::string& code = object.facts->code;
  if (rt::find_raw_parameters(code, name->view())) return module_function(vm, object, name->view());
  const auto declared = rt::find_global(code, name->view());
  return declared ? variable_as_value(vm, self, *declared) : Value();
}

// --- the module ----------------------------------------------------------------------------------

Value compile_module(Interpreter& vm, RawModuleObject& self, const Value& log_stream) {
  rt::Session& runtime = session(vm);
  const std::string log = self.module->compile(runtime, runtime.place_of(runtime.device_space()));
  if (is_given(log_stream)) vm.call_method(log_stream, "write", {vm.str(log)});
  return Value::none();
}

[[noreturn]] Value get_texref(Interpreter& vm, RawModuleObject&, std::string_view) {
  vm.raise_not_implemented_error(
      "CUDA 12 has no texture references; pass the array, or a texture object");
}

std::string show_module(Interpreter&, const Value& self) {
  return fmt::format("<raw kernel module {}>", module_of(self).name);
}

void check_source(Interpreter& vm, bool has_code, bool has_path, const RawFacts& facts) {
  if (has_code == has_path) {
    vm.raise_type_error("Exactly one of `code` and `path` keyword arguments must be given.");
  }
  if (facts.name_expressions && !has_code)
    vm.raise_value_error("need CUDA C++ code for the requested kernels");
  if (facts.name_expressions && facts.backend != "nvrtc") {
    vm.raise_value_error(
        "only nvrtc supports retrieving the mangled names for the given name expressions");
  }
  if (facts.jitify && !has_code)
    vm.raise_value_error("Jitify does not support precompiled objects");
  if (facts.jitify && facts.backend != "nvrtc") vm.raise_value_error("Jitify only supports NVRTC");
}

Value make_module(Interpreter& vm, const Value&, const Value& code, const Value& path,
                  const Value& options, std::string_view backend, bool translate_cucomplex,
                  bool cooperative, const Value& name_expressions, bool jitify) {
  RawFacts facts;
  facts.options = kernel_options(vm, options);
  facts.backend = kernel_backend(vm, backend);
  facts.translate_cucomplex = translate_cucomplex;
  facts.cooperative = cooperative;
  facts.jitify = jitify;
  if (is_given(name_expressions)) facts.name_expressions = kernel_options(vm, name_expressions);
  check_source(vm, is_given(code), is_given(path), facts);
  std::string binary, name = "module";
  if (is_given(code)) {
    facts.code = kernel_text(vm, code, "code");
  } else {
    facts.path = vm.to_text(path, "path");
    std::string content = rt::read_file(bytes_for_system(vm, facts.path));
    const bool is_code = rt::is_device_code(content);
    name = facts.path;
    if (is_code) binary = std::move(content);
    else facts.code = kernel_text(vm, content, "code");
  }
  auto module = make_raw_module(facts, std::move(binary), name);
  return Value(vm.make<RawModuleObject>(arrays(vm).raw_module, std::move(module),
                                        std::make_shared<const RawFacts>(std::move(facts)), name)
                   .get());
}

constexpr Native kMakeModule = {
    "RawModule",
    "(cls, code=None, *, path=None, options=(), backend='nvrtc', translate_cucomplex=False, "
    "enable_cooperative_groups=False, name_expressions=None, jitify=False)",
    typed<make_module>, "CUDA source text with several kernels, or a file with a GPU's code."};

constexpr Native kModuleMethods[] = {
    {"get_function", "(self, name)", typed<get_function>,
     "A kernel of the module by its name, or an instance of a template: 'f<float>'."},
    {"get_global", "(self, name)", typed<get_global>,
     "A MemoryPointer to a variable of the module."},
    {"get_texref", "(self, name)", typed<get_texref>, "NotImplementedError: CUDA 12 has none."},
    {"compile", "(self, log_stream=None)", typed<compile_module>,
     "Compiles the module for the current device now, and writes the compiler's messages."},
};

constexpr NativeGetter kModuleGetters[] = {
    {"module", [](Interpreter&, const Value& self) { return self; }},
    {"code", [](Interpreter& vm,
                const Value& self) { return text_or_none(vm, module_of(self).facts->code); }},
    {"file_path", [](Interpreter& vm,
                     const Value& self) { return text_or_none(vm, module_of(self).facts->path); }},
    {"options", [](Interpreter& vm,
                   const Value& self) { return text_tuple(vm, module_of(self).facts->options); }},
    {"backend",
     [](Interpreter& vm, const Value& self) { return vm.str(module_of(self).facts->backend); }},
    {"name_expressions",
     [](Interpreter& vm, const Value& self) {
       const auto& names = module_of(self).facts->name_expressions;
       return names ? text_tuple(vm, *names) : Value::none();
     }},
    {"enable_cooperative_groups",
     [](Interpreter&, const Value& self) {
       return Value::boolean(module_of(self).facts->cooperative);
     }},
};

}  // namespace

void setup_raw_modules(Arrays& state) {
  Slots module;
  module.getattr = module_attribute;
  module.repr = show_module;
  state.raw_module = state.vm.make_type<RawModuleObject>({.name = "RawModule",
                                                          .module = "cupy",
                                                          .doc = kMakeModule.doc,
                                                          .slots = module,
                                                          .methods = kModuleMethods,
                                                          .getters = kModuleGetters,
                                                          .constructor = &kMakeModule});
}

}  // namespace gpy
