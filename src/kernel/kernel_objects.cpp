#include "src/kernel/kernel_objects.h"

#include <algorithm>

#include "runtime/kernel/check_number.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"

namespace gpy {

// CuPy's words, and the argument.
[[noreturn]] static void refuse_operand(Interpreter& vm, const Value& value,
                                        const KernelArgument& argument) {
  const auto [kernel, place, parameter] = argument;
  const std::string which = parameter.empty() ? fmt::format("argument {}", place + 1)
                                              : rt::argument_text(place, parameter);
  Ref<Exception> error = vm.make_exception(
      vm.types.type_error, fmt::format("Unsupported type {}: {} of kernel '{}'",
                                       vm.repr(Value(vm.type_of(value))), which, kernel));
  if (value.is<List>() || value.is<Tuple>()) {
    error->suggestion = "Make an array of it: gp.asarray(...)";
  }
  vm.raise(error);
}

// A texture is passed as its handle.
rt::Operand kernel_operand(Interpreter& vm, const Value& value, const KernelArgument& argument) {
  if (std::optional<rt::Operand> operand = try_operand(vm, value)) return *std::move(operand);
  const bool is_texture = vm.try_get_attribute(value, vm.intern("TexDesc")).is_defined();
  if (!is_texture) refuse_operand(vm, value, argument);
  const Value handle = vm.get_attribute(value, vm.intern("ptr"));
  return rt::Scalar::of(rt::DType::kUInt64, vm.to_index(handle));
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

std::string kernel_backend(Interpreter& vm, std::string_view name) {
  if (name != "nvrtc" && name != "nvcc") vm.raise_value_error("Invalid backend {}", name);
  return std::string(name);
}

namespace {

// The bytes of a record, or of the only one of an array, as its dtype lays them out; empty for
// what is none.
std::string record_bytes(Interpreter& vm, const Value& value) {
  const Value dtype = vm.try_get_attribute(value, vm.intern("dtype"));
  const Value size = vm.try_get_attribute(value, vm.intern("size"));
  if (dtype.is_undefined() || size.is_undefined() || vm.to_index(size) != 1) return "";
  const Value kind = vm.try_get_attribute(dtype, vm.intern("kind"));
  if (kind.is_undefined() || vm.to_str(kind) != "V") return "";
  const Value bytes = vm.call_method(value, "tobytes");
  return bytes.as<Bytes>()->data;
}

}  // namespace

rt::RawArgument raw_argument(Interpreter& vm, const Value& value, const KernelArgument& argument) {
  const auto address = [](int64_t at) {
    rt::RawArgument out{rt::Operand(rt::Scalar::strong(at))};
    out.is_address = true;
    return out;
  };
  if (value.is_none()) return address(0);
  if (std::optional<rt::Operand> operand = try_operand(vm, value)) return *std::move(operand);
  const Value pointer = vm.try_get_attribute(value, vm.intern("ptr"));
  if (pointer.is_defined()) return address(vm.to_index(pointer));
  if (std::string bytes = record_bytes(vm, value); !bytes.empty()) return bytes;
  refuse_operand(vm, value, argument);
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

std::string kernel_name(Interpreter& vm, const Value& value) {
  std::string name = kernel_text(vm, value, "name");
  const bool starts_well = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  const bool is_word = std::ranges::all_of(name, [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  if (!starts_well || !is_word) vm.raise_value_error("Invalid kernel name: \"{}\"", name);
  return name;
}

const Value* given_keyword(const CallArgs& arguments, std::string_view name) {
  const Value* value = arguments.find_keyword(name);
  return value && is_given(*value) ? value : nullptr;
}

Value wrap_outputs(Interpreter& vm, std::span<const rt::Array> results,
                   std::span<const Value> given, bool as_tuple) {
  const auto value_of = [&](size_t i) {
    const bool is_own = i < given.size() && !given[i].is_none();
    return is_own ? given[i] : wrap_array(vm, results[i]);
  };
  if (results.size() == 1 && !as_tuple) return value_of(0);
  std::vector<Value> values;
  for (size_t i = 0; i < results.size(); ++i) values.push_back(value_of(i));
  return vm.tuple(values);
}

void add_kernel_names(Interpreter& vm, Module& module) {
  Arrays& state = arrays(vm);
  module.set(vm, "ElementwiseKernel", Value(state.elementwise_kernel));
  module.set(vm, "ReductionKernel", Value(state.reduction_kernel));
  module.set(vm, "RawKernel", Value(state.raw_kernel));
  module.set(vm, "RawModule", Value(state.raw_module));
  module.set(vm, "fuse", Value(state.fused));
  module.set(vm, "CheckError", Value(state.check_error));
}

std::vector<rt::KernelParameter> kernel_parameters(std::span<const syntax::KernelParameter> list,
                                                   bool in_cpp) {
  std::vector<rt::KernelParameter> out;
  for (const syntax::KernelParameter& each : list) {
    rt::check_parameter_name(each.name);
    if (in_cpp) rt::check_cpp_name(each.name);
    const std::string name(each.name);
    out.push_back({std::string(each.type), name, each.is_raw, in_cpp ? "" : "_v_" + name});
  }
  return out;
}

}  // namespace gpy
