#include "runtime/typed/expression_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "runtime/cpp_text/names.h"
#include "runtime/cpp_text/rows.h"
#include "runtime/typed/walk.h"
#include "runtime/typed/write.h"

namespace gpy::rt::typed {

namespace {

// Floats are written by their bits: every compiler reads the same number.
std::string real_text(double number, DType dtype) {
  if (dtype == DType::kFloat64)
    return fmt::format("double_from_bits({:#x}ull)", std::bit_cast<uint64_t>(number));
  const auto narrow = static_cast<float>(number);
  return fmt::format("float_from_bits({:#x}u)", std::bit_cast<uint32_t>(narrow));
}

std::string number_text(const Scalar& number, DType dtype) {
  const std::string_view type = cpp_type_name(dtype);
  if (dtype == DType::kBool) return number.truth() ? "true" : "false";
  if (is_integer(dtype)) return fmt::format("{}({:#x}ull)", type, number.as_unsigned());
  if (is_complex(dtype)) {
    const DType part = real_type(dtype);
    return fmt::format("{}({}, {})", type, real_text(number.as_complex().real(), part),
                       real_text(number.as_complex().imag(), part));
  }
  if (is_narrow_float(dtype))
    return fmt::format("{}({})", type, real_text(number.as_double(), DType::kFloat32));
  return real_text(number.as_double(), dtype);
}

}  // namespace

const std::string& Rows::name(const Ufunc& ufunc, int loop) {
  std::string& name = names_[{ufunc.id, loop}];
  if (name.empty()) {
    name = fmt::format("row_{}_{}", ufunc.name, loop);
    write_row_function(text_, name, ufunc, ufunc.loops[static_cast<size_t>(loop)]);
  }
  return name;
}

std::string ExpressionText::storage_name(size_t index) const {
  return fmt::format("{}_memory{}", function_.symbol, index);
}

size_t ExpressionText::name_number(const std::string& name) const {
  const auto known = std::ranges::find(*checked_, name);
  const size_t number = static_cast<size_t>(known - checked_->begin());
  if (known == checked_->end()) checked_->push_back(name);
  return number;
}

std::string ExpressionText::access_place(const Expression& array) const {
  std::string name = "array";  // of what the script has not named
  if (array.kind == Expression::Kind::kVariable)
    name = function_.variables[static_cast<size_t>(array.index)].name;
  return fmt::format("AccessPlace({})", name_number(name.starts_with('.') ? "array" : name));
}

std::string ExpressionText::memory(const Expression& node) {
  const Storage& storage = function_.storages[static_cast<size_t>(node.index)];
  const std::string name = storage.kind == Storage::Kind::kDynamic
                               ? "gpy_dynamic_shared"
                               : storage_name(static_cast<size_t>(node.index));
  std::string extents;
  for (const Expression& each : node.args) extents += ", " + text(each);
  if (checked_ && storage.kind == Storage::Kind::kDynamic)
    extents =
        fmt::format(", ::_gpy_dynamic_bytes() / sizeof({})", cpp_memory_type_name(storage.dtype));
  return fmt::format("array_over<{}, {}>((void*){}{})", cpp_memory_type_name(storage.dtype),
                     node.type.rank, name, extents);
}

std::string ExpressionText::place_text(const Expression& node) {
  for (const KnownElement& each : known) {
    if (is_same(*each.element, node)) return each.place;
  }
  if (node.kind == Expression::Kind::kField) return text(node);
  if (checked_) {
    return fmt::format("checked_at({}, {}{}{})", text(node.args[0]), access_place(node.args[0]),
                       node.args.size() > 1 ? ", " : "", arguments(node.args, 1));
  }
  return fmt::format("{}.at({})", text(node.args[0]), arguments(node.args, 1));
}

std::string ExpressionText::arguments(const std::vector<Expression>& args, size_t first) {
  std::string out;
  for (size_t i = first; i < args.size(); ++i) out += (i > first ? ", " : "") + text(args[i]);
  return out;
}

// The language computes operands from left to right, C++ in any order.
// `before`: arguments that are written already.
std::string ExpressionText::call(const std::string& function, const std::vector<Expression>& args,
                                 const std::string& before) {
  bool effects = false;
  for (const Expression& each : args) effects = effects || each.effects;
  if (!effects || args.size() < 2)
    return fmt::format("{}({}{})", function, before, arguments(args));
  std::string out = "[&] { ", names;
  const int depth = temporaries_++;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string name = fmt::format("t{}_{}", depth, i);
    out += fmt::format("const {} {} = {}; ", cpp_type(args[i].type), name, text(args[i]));
    names += (i ? ", " : "") + name;
  }
  return out + fmt::format("return {}({}{}); }}()", function, before, names);
}

// elementwise<T, R>([](T0 e0, T1 e1) -> T { return ...; }, a0, a1)
std::string ExpressionText::elementwise(const Expression& node) {
  const bool makes = !node.type.is_none();
  std::vector<Expression> arrays(node.args.begin() + 1, node.args.end());
  std::string parameters;
  for (size_t i = makes ? 0 : 1; i < arrays.size(); ++i) {
    const size_t place = makes ? i : i - 1;
    parameters += fmt::format("{}{} e{}", place ? ", " : "",
                              cpp_type(Type::number(arrays[i].type.dtype)), place);
  }
  const Expression& body = node.args[0];
  const std::string function = fmt::format("[]({}) -> {} {{ return {}; }}", parameters,
                                           cpp_type(Type::number(body.type.dtype)), text(body));
  if (!makes) return call("elementwise_into", arrays, function + ", ");
  return call(
      fmt::format("elementwise<{}, {}>", cpp_memory_type_name(node.type.dtype), node.type.rank),
      arrays, function + ", ");
}

std::string ExpressionText::text(const Expression& node) {
  using Kind = Expression::Kind;
  const auto arg = [&](size_t i) { return text(node.args[i]); };
  switch (node.kind) {
    case Kind::kNumber: return number_text(node.number, node.type.dtype);
    case Kind::kVariable: return fmt::format("v{}", node.index);
    case Kind::kCast:
      return fmt::format("{}<{}>({})", node.type.is_array() ? "as_array" : "cast",
                         cpp_type(node.type), arg(0));
    case Kind::kRow: return call(rows_.name(*node.ufunc, node.loop), node.args);
    case Kind::kCall:
      return call(program_.functions[static_cast<size_t>(node.index)]->symbol, node.args);
    case Kind::kSupport:
      if (checked_ && node.symbol == "row") {
        return fmt::format("checked_row({}, {}, {})", arg(0), access_place(node.args[0]), arg(1));
      }
      if (checked_ && node.symbol.starts_with("subscript<")) {
        return fmt::format("checked_{}({}, {}{})", node.symbol, arg(0), access_place(node.args[0]),
                           (node.args.size() > 1 ? ", " : "") + arguments(node.args, 1));
      }
      return call(node.symbol, node.args);
    case Kind::kChoice: return fmt::format("({} ? {} : {})", arg(0), arg(1), arg(2));
    case Kind::kAnd: return fmt::format("({} && {})", arg(0), arg(1));
    case Kind::kOr: return fmt::format("({} || {})", arg(0), arg(1));
    case Kind::kNot: return fmt::format("!({})", arg(0));
    case Kind::kElement: return fmt::format("{}({})", cpp_type(node.type), place_text(node));
    case Kind::kExtent: return fmt::format("{}.shape[{}]", arg(0), node.index);
    case Kind::kTuple: return call(cpp_type(node.type), node.args);
    case Kind::kAtomic:
      return fmt::format("{}({}, {})", node.symbol, place_text(node.args[0]),
                         arguments(node.args, 1));
    case Kind::kMemory: return memory(node);
    case Kind::kItem: return fmt::format("item<{}>({})", node.index, arg(0));
    case Kind::kField: return fmt::format("field<{}>({})", node.index, arg(0));
    case Kind::kElementwise: return elementwise(node);
    case Kind::kPlace: return fmt::format("e{}", node.index);
  }
  return "";
}

}  // namespace gpy::rt::typed
