#include "runtime/typed/form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpy::rt::typed {

Type Type::number(DType dtype, Weak weak) {
  Type type;
  type.kind = Kind::kNumber;
  type.dtype = dtype;
  type.weak = weak;
  return type;
}

Type Type::array(DType dtype, int rank, bool dense) {
  Type type;
  type.kind = Kind::kArray;
  type.dtype = dtype;
  type.rank = rank;
  type.dense = dense;
  return type;
}

Type Type::tuple(std::vector<Type> items) {
  Type type;
  type.kind = Kind::kTuple;
  type.items = std::move(items);
  return type;
}

Type Type::named_tuple(const void* of, std::vector<std::string> names, std::vector<Type> items) {
  Type type = tuple(std::move(items));
  type.of = of;
  type.names = std::move(names);
  return type;
}

Type Type::list(Type item) {
  Type type = empty_list();
  type.items = {std::move(item)};
  return type;
}

Type Type::empty_list() {
  Type type;
  type.kind = Kind::kList;
  return type;
}

Type Type::map(Type key, Type value) {
  Type type = empty_map();
  type.items = {std::move(key), std::move(value)};
  return type;
}

Type Type::empty_map() {
  Type type;
  type.kind = Kind::kMap;
  return type;
}

Type Type::instance(const void* of, std::vector<std::string> names, std::vector<Type> fields) {
  Type type;
  type.kind = Kind::kInstance;
  type.of = of;
  type.names = std::move(names);
  type.items = std::move(fields);
  return type;
}

namespace {

std::string number_text(const Type& type) {
  switch (type.weak) {
    case Weak::kInt: return "int";
    case Weak::kFloat: return "float";
    case Weak::kComplex: return "complex";
    case Weak::kNo: break;
  }
  return std::string(name(type.dtype));
}

template <class F> std::string joined(const std::vector<Type>& items, F&& text) {
  std::string out;
  for (const Type& item : items) out += (out.empty() ? "" : ", ") + text(item);
  return fmt::format("({}{})", out, items.size() == 1 ? "," : "");
}

}  // namespace

std::string type_text(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kNone: return "None";
    case Type::Kind::kNumber: return number_text(type);
    case Type::Kind::kArray:
      return fmt::format("array of {} ({} {})", name(type.dtype), type.rank,
                         type.rank == 1 ? "axis" : "axes");
    case Type::Kind::kTuple: return (type.of ? type.names[0] : "") + joined(type.items, type_text);
    case Type::Kind::kList:
      return type.items.empty() ? "list" : "list of " + type_text(type.items[0]);
    case Type::Kind::kMap:
      if (type.items.empty()) return "dictionary";
      return fmt::format("dictionary of {} by {}", type_text(type.items[1]),
                         type_text(type.items[0]));
    case Type::Kind::kInstance: return "instance of " + type.names[0];
  }
  return "";
}

std::string type_key(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kNone: return "-";
    case Type::Kind::kNumber:
      return fmt::format("{}{}{}", number_text(type), type.either ? "?" : "",
                         type.dtype == DType::kBool && type.weak == Weak::kInt ? "b" : "");
    case Type::Kind::kArray:
      return fmt::format("{}[{}{}{}{}]", name(type.dtype), type.rank, type.dense ? "c" : "",
                         type.owned ? "o" : "", type.constant ? "r" : "");
    case Type::Kind::kTuple:
      if (!type.of) return joined(type.items, type_key);
      return fmt::format("{}@{}{}", fmt::join(type.names, "."), type.of,
                         joined(type.items, type_key));
    case Type::Kind::kList:
      return fmt::format("{}list{}", type.names.empty() ? "" : type.names[0],
                         type.items.empty() ? "" : "<" + type_key(type.items[0]) + ">");
    case Type::Kind::kMap: return "map" + joined(type.items, type_key);
    case Type::Kind::kInstance: return fmt::format("@{}", type.of);
  }
  return "";
}

Expression Expression::constant(const Scalar& number) {
  Expression out;
  out.kind = Kind::kNumber;
  out.type = Type::number(number.dtype(), number.weakness());
  out.number = number;
  return out;
}

Expression Expression::variable(int index, const Type& type) {
  Expression out;
  out.kind = Kind::kVariable;
  out.index = index;
  out.type = type;
  return out;
}

}  // namespace gpy::rt::typed
