#include "src/kernel/compiled_objects.h"

#include "runtime/core/interrupt.h"
#include "src/array/convert.h"
#include "src/calls/bind.h"
#include "src/code.h"
#include "src/kernel/typed_arguments.h"
#include "src/loops/loop_watch.h"
#include "src/memory/traverse.h"
#include "src/objects/function.h"
#include "src/translate/translation.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

using rt::typed::Data;

std::vector<TypedArgument> read_arguments(Interpreter& vm, const CompiledObject& object,
                                          std::span<const Value> values) {
  const Code& code = *object.function.as<Function>()->code;
  std::vector<TypedArgument> out;
  for (size_t i = 0; i < values.size(); ++i) {
    out.push_back(
        typed_argument(vm, object.dialect, values[i], code.name, code.parameters.names[i]->view()));
  }
  return out;
}

// --- results -------------------------------------------------------------------------------------

// Numba's results are Python's numbers.
Value number_value(Interpreter& vm, const CompiledObject& object, const rt::Scalar& number) {
  if (object.dialect == Dialect::kNumba || number.weakness() != rt::Weak::kNo)
    return python_number(vm, number);
  return wrap_scalar(vm, number);
}

// An argument that is given back is the same object.
Value array_value(Interpreter& vm, std::span<const Value> given, const rt::Array& array) {
  for (const Value& each : given) {
    const Ndarray* known = as_ndarray(each);
    if (!known || &known->array.storage() != &array.storage()) continue;
    if (rt::same_places(known->array.layout(), array.layout()) &&
        known->array.shape() == array.shape() && known->array.dtype() == array.dtype())
      return each;
    return wrap_view(vm, array, each);
  }
  return wrap_array(vm, array);
}

Value result_value(Interpreter& vm, const CompiledObject& object, const TypedType& type,
                   const Data& data, std::span<const Value> given) {
  switch (type.kind) {
    case TypedType::Kind::kNone: return Value::none();
    case TypedType::Kind::kNumber: return number_value(vm, object, data.number);
    case TypedType::Kind::kArray: return array_value(vm, given, data.array);
    case TypedType::Kind::kTuple: break;
  }
  std::vector<Value> items;
  for (size_t i = 0; i < type.items.size(); ++i)
    items.push_back(result_value(vm, object, type.items[i], data.items[i], given));
  return vm.tuple(items);
}

// --- calls ---------------------------------------------------------------------------------------

const CompiledObject::Version& version_for(Interpreter& vm, CompiledObject& object,
                                           std::span<const TypedArgument> arguments) {
  const std::string key = version_key(arguments);
  const auto known = object.versions.find(key);
  if (known != object.versions.end()) return known->second;
  CompiledObject::Version version;
  for (const TypedArgument& each : arguments) version.types.push_back(each.type);
  TranslatedFunction translated = translate_function(
      vm, object.dialect, Target::kFunction, *object.function.as<Function>(), version.types);
  version.code = std::make_shared<rt::typed::CompiledFunction>(std::move(translated.program),
                                                               translated.has_effects);
  const rt::InterruptScope scope(session(vm).interrupt);
  version.code->compile(session(vm).backend(rt::kHostPlace));
  return object.versions.emplace(key, std::move(version)).first->second;
}

[[noreturn]] void raise(Interpreter& vm, const rt::typed::Raised& raised) {
  if (raised.code == rt::typed::FailureCode::kZeroDivision)
    vm.raise_zero_division_error("division by zero");
  vm.raise_runtime_error("compiled code failed ({})", static_cast<int>(raised.code));
}

// The arguments for the parameters, in their order.
std::vector<Value> bound_arguments(Interpreter& vm, Function& function, const CallArgs& arguments) {
  Frame* frame = bind_function(vm, &function, Value(), arguments);
  std::vector<Value> out;
  for (uint32_t i = 0; i < function.code->parameters.count(); ++i)
    out.push_back(std::move(frame->registers[i]));
  free_frame(frame);
  return out;
}

Value call_compiled(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  CompiledObject& object = *self.as<CompiledObject>();
  if (object.dialect == Dialect::kLanguage) return call_attended(vm, object.function, arguments);
  Function& function = *object.function.as<Function>();
  const std::vector<Value> values = bound_arguments(vm, function, arguments);
  const std::vector<TypedArgument> given = read_arguments(vm, object, values);
  const CompiledObject::Version version = version_for(vm, object, given);
  std::vector<Data> data;
  for (const TypedArgument& each : given) data.push_back(each.data);
  try {
    const Data result = (*version.code)(session(vm), data);
    return result_value(vm, object, version.code->entry().result, result, values);
  } catch (const rt::typed::Raised& raised) {
    raise(vm, raised);
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

Value get_signatures(Interpreter& vm, const Value& self) {
  std::vector<Value> out;
  for (const auto& [key, version] : self.as<CompiledObject>()->versions) {
    std::vector<Value> types;
    for (const TypedType& each : version.types) types.push_back(vm.str(rt::typed::type_text(each)));
    out.push_back(vm.tuple(types));
  }
  return vm.list(std::move(out));
}

Value get_doc(Interpreter&, const Value& self) {
  return self.as<CompiledObject>()->function.as<Function>()->doc;
}

constexpr NativeGetter kGetters[] = {
    {"__doc__", get_doc},
    {"py_func", get_function, nullptr, "The function as it was written."},
    {"signatures", get_signatures, nullptr, "The argument types that it has been compiled for."},
};

}  // namespace

Value make_compiled(Interpreter& vm, const Value& function, Dialect dialect) {
  if (!function.is<Function>())
    vm.raise_type_error("a function is compiled, not a {}", vm.type_name(function));
  return Value(vm.make<CompiledObject>(arrays(vm).compiled, function, dialect).get());
}

void setup_compiled(Arrays& state) {
  Slots slots;
  slots.call = call_compiled;
  slots.repr = show_compiled;
  slots.getattr = compiled_attribute;
  slots.traverse = traverse<&CompiledObject::function>;
  state.compiled = state.vm.make_type<CompiledObject>({.name = "CPUDispatcher",
                                                       .module = "numba.core.registry",
                                                       .doc = "A function that is compiled for the "
                                                              "types of its arguments.",
                                                       .slots = slots,
                                                       .getters = kGetters});
}

}  // namespace gpy
