#include "src/kernel/declared_types.h"

#include "src/translate/type_specs.h"

namespace gpy {

namespace {

std::optional<TypedArgument> number_as(const TypedArgument& given, const TypedType& type) {
  if (!type.is_number()) return std::nullopt;
  if (rt::is_complex(given.type.dtype) && !rt::is_complex(type.dtype)) return std::nullopt;
  return TypedArgument{type, {given.data.number.cast(type.dtype), {}, {}}};
}

std::optional<TypedArgument> tuple_as(const TypedArgument& given, const TypedType& type) {
  if (!type.is_tuple() || type.items.size() != given.type.items.size()) return std::nullopt;
  TypedArgument out{type, {}};
  for (size_t i = 0; i < type.items.size(); ++i) {
    auto item = as_declared({given.type.items[i], given.data.items[i]}, type.items[i]);
    if (!item) return std::nullopt;
    out.data.items.push_back(std::move(item->data));
  }
  return out;
}

std::optional<TypedArgument> list_as(const TypedArgument& given, const TypedType& type) {
  if (!type.is_list()) return std::nullopt;
  TypedArgument out{type, {}};
  out.data.identity = given.data.identity;
  for (const rt::typed::Data& each : given.data.items) {
    auto item = as_declared({given.type.items[0], each}, type.items[0]);
    if (!item) return std::nullopt;
    out.data.items.push_back(std::move(item->data));
  }
  return out;
}

}  // namespace

std::optional<TypedArgument> as_declared(const TypedArgument& given, const TypedType& type) {
  switch (given.type.kind) {
    case TypedType::Kind::kNumber: return number_as(given, type);
    case TypedType::Kind::kTuple: return tuple_as(given, type);
    case TypedType::Kind::kList: return list_as(given, type);
    case TypedType::Kind::kMap:
      if (given.type != type) return std::nullopt;
      return given;
    case TypedType::Kind::kInstance:
      if (given.type.of != type.of) return std::nullopt;
      return TypedArgument{type, given.data};
    case TypedType::Kind::kArray: break;
    default: return std::nullopt;
  }
  const bool fits = type.is_array() && type.dtype == given.type.dtype &&
                    type.rank == given.type.rank && (given.type.dense || !type.dense) &&
                    !given.type.constant;
  if (!fits) return std::nullopt;
  return TypedArgument{type, given.data};
}

std::optional<std::vector<TypedArgument>> as_declared(std::span<const TypedArgument> given,
                                                      const std::vector<TypedType>& types) {
  if (given.size() != types.size()) return std::nullopt;
  std::vector<TypedArgument> out;
  for (size_t i = 0; i < given.size(); ++i) {
    std::optional<TypedArgument> each = as_declared(given[i], types[i]);
    if (!each) return std::nullopt;
    out.push_back(std::move(*each));
  }
  return out;
}

bool is_exact(std::span<const TypedArgument> given, const std::vector<TypedType>& types) {
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i].type.is_number() && given[i].type != types[i]) return false;
  }
  return true;
}

void raise_no_match(Interpreter& vm, std::span<const TypedArgument> arguments) {
  std::string types;
  for (const TypedArgument& each : arguments)
    types += (types.empty() ? "" : ", ") + numba_text(each.type);
  vm.raise_type_error("No matching definition for argument type(s) {}", types);
}

}  // namespace gpy
