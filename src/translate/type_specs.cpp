#include "src/translate/type_specs.h"

#include <algorithm>

#include "src/array/read_arguments.h"
#include "src/objects/containers.h"
#include "src/objects/dict.h"
#include "src/objects/str.h"
#include "src/translate/array_form.h"

namespace gpy {

namespace {

TypedType array_type(Interpreter& vm, std::span<const Value> spec, rt::DType dtype) {
  const bool dense = spec[2].as<Str>()->view() == "C";
  return TypedType::array(dtype, static_cast<int>(vm.to_index(spec[1])), dense);
}

}  // namespace

// --- classes -------------------------------------------------------------------------------------

// Its name, the names and types of its fields, and by name its methods, getters, setters and
// static methods.
enum Part : size_t { kName, kFields, kMethods, kGetters, kSetters, kStatics };

static Value class_part(Interpreter& vm, const Type& type, Part part) {
  const Value self(const_cast<Type*>(&type));
  const Value spec = vm.try_get_attribute(self, vm.intern("_jit_spec"));
  return spec.is_defined() && spec.is<Tuple>() ? (*spec.as<Tuple>())[part] : Value();
}

bool is_jit_class(Interpreter& vm, const Type& type) {
  return class_part(vm, type, kName).is_defined();
}

TypedType instance_type(Interpreter& vm, const Type& type) {
  std::vector<std::string> names = {std::string(class_part(vm, type, kName).as<Str>()->view())};
  std::vector<TypedType> fields;
  for (const Value& each : class_part(vm, type, kFields).as<Tuple>()->items()) {
    const std::span<const Value> pair = each.as<Tuple>()->items();
    names.emplace_back(pair[0].as<Str>()->view());
    fields.push_back(declared_type(vm, pair[1]));
    fields.back().owned = fields.back().is_array();
  }
  return TypedType::instance(&type, std::move(names), std::move(fields));
}

Value class_of(const TypedType& type) {
  return Value(static_cast<Object*>(const_cast<Type*>(static_cast<const Type*>(type.of))));
}

bool is_named_tuple(Interpreter& vm, const Type& type) {
  return &type != vm.types.tuple && type.is_subclass_of(vm.types.tuple) &&
         vm.try_get_attribute(Value(const_cast<Type*>(&type)), vm.intern("_fields")).is_defined();
}

TypedType named_tuple_type(Interpreter& vm, const Type& type, std::vector<TypedType> items) {
  std::vector<std::string> names = {std::string(type.name)};
  const Value fields = vm.get_attribute(Value(const_cast<Type*>(&type)), vm.intern("_fields"));
  for (const Value& each : fields.as<Tuple>()->items()) names.emplace_back(each.as<Str>()->view());
  return TypedType::named_tuple(&type, std::move(names), std::move(items));
}

static Value class_function(Interpreter& vm, const Type& type, Part part, std::string_view name) {
  const Value all = class_part(vm, type, part);
  if (all.is_undefined()) return Value();
  const Value* found = all.as<Dict>()->find(vm.intern(name));
  return found ? *found : Value();
}

Value class_method(Interpreter& vm, const Type& type, std::string_view name) {
  return class_function(vm, type, kMethods, name);
}
Value class_getter(Interpreter& vm, const Type& type, std::string_view name) {
  return class_function(vm, type, kGetters, name);
}
Value class_setter(Interpreter& vm, const Type& type, std::string_view name) {
  return class_function(vm, type, kSetters, name);
}
Value class_static(Interpreter& vm, const Type& type, std::string_view name) {
  return class_function(vm, type, kStatics, name);
}

// --- specifications ------------------------------------------------------------------------------

TypedType declared_type(Interpreter& vm, const Value& spec) {
  const std::span<const Value> parts = spec.as<Tuple>()->items();
  const std::string_view name = parts[0].as<Str>()->view();
  if (name == "none") return {};
  if (name == "list" || name == "typed") {
    TypedType type = TypedType::list(owned_items(declared_type(vm, parts[1])));
    if (name == "typed") type.names = {"typed"};
    return type;
  }
  if (name == "map")
    return TypedType::map(declared_type(vm, parts[1]), owned_items(declared_type(vm, parts[2])));
  if (name == "instance") return instance_type(vm, *parts[1].as<Type>());
  if (name == "tuple") {
    std::vector<TypedType> items;
    for (const Value& each : parts.subspan(1)) items.push_back(declared_type(vm, each));
    return TypedType::tuple(std::move(items));
  }
  if (name == "named") {
    std::vector<TypedType> items;
    for (const Value& each : parts.subspan(2)) items.push_back(declared_type(vm, each));
    return named_tuple_type(vm, *parts[1].as<Type>(), std::move(items));
  }
  const rt::DType dtype = to_dtype(vm, parts[0]);
  return parts.size() == 1 ? TypedType::number(dtype) : array_type(vm, parts, dtype);
}

Value declared_spec(Interpreter& vm, const TypedType& type) {
  const auto text = [&](std::string_view of) { return Value(vm.str(of)); };
  std::vector<Value> parts;
  switch (type.kind) {
    case TypedType::Kind::kNone: return vm.tuple(std::vector<Value>{text("none")});
    case TypedType::Kind::kNumber: parts = {text(rt::name(type.dtype))}; break;
    case TypedType::Kind::kArray:
      parts = {text(rt::name(type.dtype)), Value::integer(type.rank), text(type.dense ? "C" : "A")};
      break;
    case TypedType::Kind::kInstance: parts = {text("instance"), class_of(type)}; break;
    case TypedType::Kind::kTuple:
    case TypedType::Kind::kList:
    case TypedType::Kind::kMap:
      parts = {text(type.is_tuple() ? "tuple" : type.is_map() ? "map" : "list")};
      if (type.is_list() && !type.names.empty()) parts = {text(type.names[0])};
      if (type.is_named_tuple()) parts = {text("named"), class_of(type)};
      for (const TypedType& each : type.items) parts.push_back(declared_spec(vm, each));
      break;
  }
  return vm.tuple(parts);
}

std::string numba_text(const TypedType& type) {
  switch (type.kind) {
    case TypedType::Kind::kNone: return "none";
    case TypedType::Kind::kNumber: return std::string(rt::name(type.dtype));
    case TypedType::Kind::kArray:
      return fmt::format("array({}, {}d, {})", rt::name(type.dtype), type.rank,
                         type.dense ? "C" : "A");
    case TypedType::Kind::kList:
      return fmt::format("list({})", type.items.empty() ? "undefined" : numba_text(type.items[0]));
    case TypedType::Kind::kMap:
      if (type.items.empty()) return "DictType[undefined,undefined]";
      return fmt::format("DictType[{},{}]", numba_text(type.items[0]), numba_text(type.items[1]));
    case TypedType::Kind::kInstance: return "instance.jitclass." + type.names[0];
    case TypedType::Kind::kTuple: break;
  }
  const bool uniform =
      !type.items.empty() &&
      std::ranges::all_of(type.items, [&](const TypedType& each) { return each == type.items[0]; });
  const std::string name = type.of ? type.names[0] : uniform ? "UniTuple" : "Tuple";
  if (uniform)
    return fmt::format("{}({} x {})", name, numba_text(type.items[0]), type.items.size());
  std::string items;
  for (const TypedType& each : type.items) items += (items.empty() ? "" : ", ") + numba_text(each);
  return fmt::format("{}({})", name, items);
}

}  // namespace gpy
