#include "src/kernel/kernel_parameters.h"

#include "src/array/convert.h"
#include "src/objects/containers.h"

namespace gpy {

namespace {

struct ParameterInfo : Object {
  static constexpr ObjectLayout kLayout = kKernelParameterLayout;
  ParameterInfo(Type* type, rt::KernelParameter parameter, bool is_const)
      : Object(type), parameter(std::move(parameter)), is_const(is_const) {}
  rt::KernelParameter parameter;  // without a type: the kernel's own
  bool is_const;
};

const ParameterInfo& info_of(const Value& self) { return *self.as<ParameterInfo>(); }

Value info_name(Interpreter& vm, const Value& self) { return vm.str(info_of(self).parameter.name); }

Value info_dtype(Interpreter& vm, const Value& self) {
  const auto& dtype = info_of(self).parameter.named;
  return dtype ? wrap_dtype(vm, *dtype) : Value::none();
}

Value info_ctype(Interpreter& vm, const Value& self) {
  const std::string& type = info_of(self).parameter.type;
  if (type.empty()) return Value::none();
  if (rt::is_placeholder(type)) return vm.str(type);
  return vm.str(rt::cuda_type(*rt::dtype_from_name(type)));
}

Value info_raw(Interpreter&, const Value& self) {
  return Value::boolean(info_of(self).parameter.raw);
}

Value info_const(Interpreter&, const Value& self) { return Value::boolean(info_of(self).is_const); }

constexpr NativeGetter kGetters[] = {
    {"name", info_name, nullptr, "The name."},
    {"dtype", info_dtype, nullptr, "The dtype that it names; None for a letter."},
    {"ctype", info_ctype, nullptr, "The type in CUDA C++, or the letter."},
    {"raw", info_raw, nullptr, "Whether it is indexed by the kernel."},
    {"is_const", info_const, nullptr, "Whether it is only read."},
};

std::string show_info(Interpreter& vm, const Value& self) {
  std::string text = "<ParameterInfo(";
  for (const NativeGetter& each : kGetters) {
    if (text.back() != '(') text += ' ';
    text += fmt::format("{}={}", each.name, vm.repr(each.get(vm, self)));
  }
  return text + ")>";
}

bool are_same(const ParameterInfo& a, const ParameterInfo& b) {
  return a.parameter.type == b.parameter.type && a.parameter.name == b.parameter.name &&
         a.parameter.raw == b.parameter.raw && a.is_const == b.is_const;
}

Value compare_info(Interpreter&, CompareOp op, const Value& self, const Value& other) {
  const bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (!equality || !other.is<ParameterInfo>()) return Value::not_implemented();
  return Value::boolean(are_same(info_of(self), info_of(other)) == (op == CompareOp::equal));
}

int64_t hash_info(Interpreter&, const Value& self) {
  const rt::KernelParameter& parameter = info_of(self).parameter;
  return static_cast<int64_t>(
      std::hash<std::string>()(parameter.type + ' ' + parameter.name + (parameter.raw ? "*" : "")));
}

Value make_info(Interpreter& vm, rt::KernelParameter parameter, bool is_const) {
  return Value(
      vm.make<ParameterInfo>(arrays(vm).kernel_parameter, std::move(parameter), is_const).get());
}

Value dtype_tuple(Interpreter& vm, std::span<const rt::DType> dtypes) {
  std::vector<Value> out;
  for (rt::DType dtype : dtypes) out.push_back(wrap_dtype(vm, dtype));
  return vm.tuple(out);
}

}  // namespace

Value parameter_tuple(Interpreter& vm, std::span<const rt::KernelParameter> parameters,
                      bool is_const) {
  std::vector<Value> out;
  for (const rt::KernelParameter& each : parameters) out.push_back(make_info(vm, each, is_const));
  return vm.tuple(out);
}

Value own_parameter(Interpreter& vm, std::string name) {
  return make_info(vm, {"", std::move(name), false}, false);
}

Value cached_codes(Interpreter& vm, std::span<const rt::CompiledVersion> versions) {
  if (versions.empty()) {
    vm.warn(vm.types.user_warning,
            "No codes are cached because compilation is deferred until the first function call.");
  }
  const Ref<Dict> codes = vm.dict();
  for (const rt::CompiledVersion& each : versions) {
    const Value dtypes = dtype_tuple(vm, each.dtypes);
    if (!codes->find(vm, dtypes)) codes->set(vm, dtypes, vm.str(each.text));
  }
  return Value(codes.get());
}

Value cached_code(Interpreter& vm, std::span<const rt::CompiledVersion> versions) {
  if (versions.empty()) {
    vm.raise_runtime_error(
        "No codes are cached because compilation is deferred until the first function call.");
  }
  if (versions.size() > 1) {
    vm.warn(vm.types.user_warning,
            "The input types of the kernel could not be inferred. Please use `.cached_codes` "
            "instead.");
  }
  return vm.str(versions[0].text);
}

rt::KernelPlace place_in_text(Interpreter& vm, std::string_view parameter) {
  const Position here = vm.current_position();
  return {fmt::format("<{} of {}:{}>", parameter, here.file, here.line), 1};
}

const Value* combined_out(Interpreter& vm, const CallArgs& arguments, size_t inputs) {
  const Value* out = given_keyword(arguments, "out");
  if (arguments.positional != inputs + 1) return out;
  if (out) vm.raise_value_error("cannot specify 'out' as both a positional and keyword argument");
  return &arguments.values[inputs];
}

Value text_tuple(Interpreter& vm, std::span<const std::string> texts) {
  std::vector<Value> out;
  for (const std::string& each : texts) out.push_back(vm.str(each));
  return vm.tuple(out);
}

void setup_kernel_parameters(Arrays& state) {
  Slots slots;
  slots.repr = show_info;
  slots.compare = compare_info;
  slots.hash = hash_info;
  state.kernel_parameter = state.vm.make_type<ParameterInfo>(
      {.name = "ParameterInfo",
       .module = "cupy._core._kernel",
       .doc = "A parameter of an elementwise or reduction kernel.",
       .slots = slots,
       .getters = kGetters});
}

}  // namespace gpy
