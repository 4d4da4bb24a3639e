#include "src/kernel/typed_arguments.h"

#include "src/array/convert.h"
#include "src/classes/instance.h"
#include "src/kernel/declared_types.h"
#include "src/objects/containers.h"
#include "src/objects/str.h"
#include "src/translate/array_form.h"
#include "src/translate/type_specs.h"

namespace gpy {

using rt::typed::Data;

namespace {

std::optional<TypedArgument> try_tuple(Interpreter& vm, Dialect dialect, Tuple& tuple) {
  TypedArgument out;
  std::vector<TypedType> types;
  for (const Value& item : tuple.items()) {
    std::optional<TypedArgument> each = try_typed_argument(vm, dialect, item);
    if (!each) return std::nullopt;
    types.push_back(std::move(each->type));
    out.data.items.push_back(std::move(each->data));
  }
  const Type& type = *vm.type_of(Value(&tuple));
  out.type = is_named_tuple(vm, type) ? named_tuple_type(vm, type, std::move(types))
                                      : TypedType::tuple(std::move(types));
  return out;
}

TypedArgument array_of(const rt::Array& array) {
  TypedArgument out;
  out.type = TypedType::array(array.dtype(), array.rank(), rt::is_c_contiguous(array.layout()));
  out.type.constant = !array.writeable();
  out.data.array = array;
  return out;
}

// What a container of numba.typed is told of its items; undefined: nothing yet.
Value item_spec(Interpreter& vm, const Instance& object) {
  const Value spec = object.get(vm, vm.intern("_item_spec"));
  return spec.is_none() ? Value() : spec;
}

// The items as one type, which the first has where it is not known.
std::optional<TypedArgument> try_items(Interpreter& vm, const Value& identity,
                                       std::span<const Value> items,
                                       std::optional<TypedType> item) {
  TypedArgument out;
  out.data.identity = identity.as_object();
  const bool is_declared = item.has_value();
  for (const Value& each : items) {
    std::optional<TypedArgument> one = try_typed_argument(vm, Dialect::kNumba, each);
    if (!one) return std::nullopt;
    if (is_declared) one = as_declared(*one, *item);
    if (!one || (item && *item != one->type))
      vm.raise_type_error("can't unbox heterogeneous list: {} != {}", vm.type_name(items[0]),
                          vm.type_name(each));
    item = std::move(one->type);
    out.data.items.push_back(std::move(one->data));
  }
  if (!item) vm.raise_value_error("cannot compute fingerprint of empty list");
  out.type = TypedType::list(owned_items(*item));
  return out;
}

std::optional<TypedArgument> try_map(Interpreter& vm, const Value& value, const Instance& object,
                                     const Value& content) {
  const Value spec = item_spec(vm, object);
  if (spec.is_undefined()) vm.raise_type_error("invalid operation on untyped dictionary");
  const std::span<const Value> types = spec.as<Tuple>()->items();
  TypedArgument out;
  out.data.identity = value.as_object();
  out.type = TypedType::map(declared_type(vm, types[0]), declared_type(vm, types[1]));
  for (const Value& pair : vm.collect(vm.call_method(content, "items"))) {
    for (size_t i = 0; i < 2; ++i) {
      std::optional<TypedArgument> one =
          try_typed_argument(vm, Dialect::kNumba, (*pair.as<Tuple>())[i]);
      if (one) one = as_declared(*one, out.type.items[i]);
      if (!one) return std::nullopt;
      out.data.items.push_back(std::move(one->data));
    }
  }
  out.type.items[1] = owned_items(out.type.items[1]);
  return out;
}

constexpr const char* kTypedList = "_numba_list";
constexpr const char* kTypedMap = "_numba_dict";

std::optional<TypedArgument> try_instance(Interpreter& vm, const Value& value, Instance& object) {
  if (const Value list = object.get(vm, vm.intern(kTypedList)); list.is_defined()) {
    const Value spec = item_spec(vm, object);
    std::optional<TypedType> item;
    if (spec.is_defined()) item = declared_type(vm, spec);
    if (!item) vm.raise_type_error("invalid operation on untyped list");
    std::optional<TypedArgument> out = try_items(vm, value, list.as<List>()->items, item);
    if (out) out->type.names = {"typed"};
    return out;
  }
  if (const Value map = object.get(vm, vm.intern(kTypedMap)); map.is_defined())
    return try_map(vm, value, object, map);
  const Type& type = *vm.type_of(value);
  if (!is_jit_class(vm, type)) return std::nullopt;
  TypedArgument out;
  out.type = TypedType::instance(&type, {std::string(type.name)}, {});
  out.data.identity = value.as_object();
  return out;
}

// What a field holds that has no value yet. Arrays always have one.
Data unset_data(const TypedType& type) {
  Data out;
  if (type.is_number()) out.number = rt::Scalar::of(type.dtype, int64_t{0});
  if (type.is_tuple()) {
    for (const TypedType& item : type.items) out.items.push_back(unset_data(item));
  }
  return out;
}

// A field as the type that its class says.
Data field_data(Interpreter& vm, const TypedType& type, const std::string& name,
                const Value& value) {
  const bool is_unset = value.is_undefined() || value.is_none();
  if (is_unset && !type.is_array()) return unset_data(type);
  std::optional<TypedArgument> given;
  if (!is_unset) given = try_typed_argument(vm, Dialect::kNumba, value);
  if (given) given = as_declared(*given, type);
  if (!given) vm.raise_type_error("the field '{}' holds no {}", name, rt::typed::type_text(type));
  Data out = std::move(given->data);
  read_fields(vm, type, out);
  return out;
}

}  // namespace

TypedType with_fields(Interpreter& vm, const TypedType& type) {
  if (type.is_instance()) return instance_type(vm, *static_cast<const Type*>(type.of));
  TypedType out = type;
  for (TypedType& item : out.items) item = with_fields(vm, item);
  return out;
}

void read_fields(Interpreter& vm, const TypedType& type, Data& data) {
  if (!type.is_instance()) {
    for (size_t i = 0; i < data.items.size(); ++i) read_fields(vm, type.item(i), data.items[i]);
  }
  if (!type.is_instance() || !data.identity) return;
  const Value object(static_cast<Object*>(const_cast<void*>(data.identity)));
  const Instance& instance = *object.as<Instance>();
  for (size_t i = 0; i < type.items.size(); ++i) {
    const std::string& name = type.names[i + 1];
    data.items.push_back(field_data(vm, type.items[i], name, instance.get(vm, vm.intern(name))));
  }
}

bool is_typed(const TypedType& type) { return type.is_map() || !type.names.empty(); }

Value make_typed(Interpreter& vm, const TypedType& type, const Value& items) {
  const Value make = vm.get_attribute(vm.import_module("numba.typed"), vm.intern("_made"));
  return vm.call(make, {declared_spec(vm, type), items});
}

Value list_of_argument(Interpreter& vm, const Value& argument) {
  if (argument.is<List>()) return argument;
  return argument.as<Instance>()->get(vm, vm.intern(kTypedList));
}

std::optional<TypedArgument> try_typed_argument(Interpreter& vm, Dialect dialect,
                                                const Value& value) {
  if (Tuple* tuple = value.try_as<Tuple>()) return try_tuple(vm, dialect, *tuple);
  if (const Ndarray* array = as_ndarray(value)) {
    if (!array->array.dtype().is_native()) return std::nullopt;
    return array_of(array->array);
  }
  if (dialect == Dialect::kNumba) {
    if (const List* list = value.try_as<List>())
      return try_items(vm, value, list->items, std::nullopt);
    if (Instance* object = value.try_as<Instance>()) return try_instance(vm, value, *object);
  }
  const std::optional<rt::Scalar> number = try_number(vm, value);
  if (!number) return std::nullopt;
  const rt::Scalar given = literal_number(dialect, *number);
  return TypedArgument{TypedType::number(given.dtype(), given.weakness()), {given, {}, {}}};
}

// The first field of an array of records; empty: it is none.
static std::string first_field(Interpreter& vm, const Value& value) {
  const Value dtype = vm.try_get_attribute(value, vm.intern("dtype"));
  if (dtype.is_undefined()) return "";
  const Value names = vm.try_get_attribute(dtype, vm.intern("names"));
  const Tuple* all = names.is_defined() ? names.try_as<Tuple>() : nullptr;
  return all && all->size > 0 ? std::string((*const_cast<Tuple*>(all))[0].as<Str>()->view()) : "";
}

TypedArgument typed_argument(Interpreter& vm, Dialect dialect, const Value& value,
                             std::string_view function, std::string_view parameter) {
  if (std::optional<TypedArgument> out = try_typed_argument(vm, dialect, value))
    return std::move(*out);
  if (const std::string field = first_field(vm, value); !field.empty())
    vm.raise_type_error(
        "{}: argument '{}' is an array of records, which compiled code cannot take: pass its "
        "fields, {}['{}'], as arrays of their own",
        function, parameter, parameter, field);
  vm.raise_type_error(
      "{}: argument '{}' is a {}, which compiled code cannot take: pass numbers, arrays or tuples "
      "of them",
      function, parameter, vm.type_name(value));
}

std::string version_key(std::span<const TypedArgument> arguments) {
  std::string key;
  for (const TypedArgument& each : arguments) key += rt::typed::type_key(each.type) + " ";
  return key;
}

}  // namespace gpy
