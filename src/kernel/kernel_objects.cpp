#include "src/kernel/kernel_objects.h"

#include "src/array/convert.h"

namespace gpy {

[[noreturn]] static void refuse_operand(Interpreter& vm, const Value& value) {
  Ref<Exception> error = vm.make_exception(
      vm.types.type_error, fmt::format("Unsupported type {}", vm.repr(Value(vm.type_of(value)))));
  if (value.is<List>() || value.is<Tuple>()) {
    error->suggestion = "Make an array of it: gp.asarray(...)";
  }
  vm.raise(error);
}

rt::Operand kernel_operand(Interpreter& vm, const Value& value) {
  std::optional<rt::Operand> operand = try_operand(vm, value);
  if (!operand) refuse_operand(vm, value);
  return *operand;
}

std::vector<rt::Operand> kernel_operands(Interpreter& vm, std::span<const Value> values) {
  std::vector<rt::Operand> out;
  for (const Value& value : values) out.push_back(kernel_operand(vm, value));
  return out;
}

std::string kernel_text(Interpreter& vm, std::string_view text, const char* parameter) {
  if (text.find('\0') != text.npos) {
    vm.raise_value_error("embedded null character in '{}'", parameter);
  }
  return std::string(text);
}

std::string kernel_text(Interpreter& vm, const Value& value, const char* parameter) {
  return kernel_text(vm, vm.to_text(value, parameter), parameter);
}

std::vector<std::string> kernel_options(Interpreter& vm, const Value& value) {
  std::vector<std::string> out;
  if (!value.is_defined() || value.is_none()) return out;
  vm.for_each(value, [&](Value option) { out.push_back(kernel_text(vm, option, "options")); });
  return out;
}

void refuse_unknown(Interpreter& vm, std::string_view kernel, const CallArgs& arguments,
                    std::initializer_list<std::string_view> known) {
  for (Str* name : arguments.names) {
    bool found = false;
    for (std::string_view each : known) found |= name->view() == each;
    if (!found)
      vm.raise_type_error("{}() got an unexpected keyword argument '{}'", kernel, name->view());
  }
}

void add_kernel_names(Interpreter& vm, Module& module) {
  Arrays& state = arrays(vm);
  module.set(vm, "ElementwiseKernel", Value(state.elementwise_kernel));
  module.set(vm, "ReductionKernel", Value(state.reduction_kernel));
  module.set(vm, "RawKernel", Value(state.raw_kernel));
  module.set(vm, "RawModule", Value(state.raw_module));
  module.set(vm, "fuse", Value(state.fused));
}

}  // namespace gpy
