#include "src/kernel/declared_types.h"

#include <algorithm>

#include "src/array/read_arguments.h"
#include "src/objects/containers.h"
#include "src/objects/str.h"

namespace gpy {

namespace {

TypedType array_type(Interpreter& vm, std::span<const Value> spec, rt::DType dtype) {
  const bool dense = spec[2].as<Str>()->view() == "C";
  return TypedType::array(dtype, static_cast<int>(vm.to_index(spec[1])), dense);
}

}  // namespace

TypedType declared_type(Interpreter& vm, const Value& spec) {
  const std::span<const Value> parts = spec.as<Tuple>()->items();
  const std::string_view name = parts[0].as<Str>()->view();
  if (name == "none") return {};
  if (name == "tuple") {
    std::vector<TypedType> items;
    for (const Value& each : parts.subspan(1)) items.push_back(declared_type(vm, each));
    return TypedType::tuple(std::move(items));
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
    case TypedType::Kind::kTuple:
    case TypedType::Kind::kList:
      parts = {text(type.is_tuple() ? "tuple" : "list")};
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
    case TypedType::Kind::kTuple: break;
  }
  const bool uniform =
      !type.items.empty() &&
      std::ranges::all_of(type.items, [&](const TypedType& each) { return each == type.items[0]; });
  if (uniform) return fmt::format("UniTuple({}, {})", numba_text(type.items[0]), type.items.size());
  std::string items;
  for (const TypedType& each : type.items) items += (items.empty() ? "" : ", ") + numba_text(each);
  return fmt::format("Tuple({})", items);
}

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

}  // namespace

std::optional<TypedArgument> as_declared(const TypedArgument& given, const TypedType& type) {
  switch (given.type.kind) {
    case TypedType::Kind::kNumber: return number_as(given, type);
    case TypedType::Kind::kTuple: return tuple_as(given, type);
    case TypedType::Kind::kArray: break;
    default: return std::nullopt;
  }
  const bool fits = type.is_array() && type.dtype == given.type.dtype &&
                    type.rank == given.type.rank && (given.type.dense || !type.dense) &&
                    !given.type.constant;
  if (!fits) return std::nullopt;
  return TypedArgument{type, given.data};
}

}  // namespace gpy
