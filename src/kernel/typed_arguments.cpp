#include "src/kernel/typed_arguments.h"

#include "src/array/convert.h"
#include "src/objects/containers.h"

namespace gpy {

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
  out.type = TypedType::tuple(std::move(types));
  return out;
}

TypedArgument array_of(const rt::Array& array) {
  TypedArgument out;
  out.type = TypedType::array(array.dtype(), array.rank(), rt::is_c_contiguous(array.layout()));
  out.type.constant = !array.writeable();
  out.data.array = array;
  return out;
}

}  // namespace

std::optional<TypedArgument> try_typed_argument(Interpreter& vm, Dialect dialect,
                                                const Value& value) {
  if (Tuple* tuple = value.try_as<Tuple>()) return try_tuple(vm, dialect, *tuple);
  if (const Ndarray* array = as_ndarray(value)) {
    if (!array->array.dtype().is_native()) return std::nullopt;
    return array_of(array->array);
  }
  const std::optional<rt::Scalar> number = try_number(vm, value);
  if (!number) return std::nullopt;
  const TypedExpression constant = literal(dialect, *number);
  return TypedArgument{constant.type, {constant.number, {}, {}}};
}

TypedArgument typed_argument(Interpreter& vm, Dialect dialect, const Value& value,
                             std::string_view function, std::string_view parameter) {
  if (std::optional<TypedArgument> out = try_typed_argument(vm, dialect, value))
    return std::move(*out);
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
