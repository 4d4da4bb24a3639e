#include "src/translate/array_form.h"

#include <algorithm>

#include "runtime/cpp_text/names.h"
#include "runtime/typed/write.h"

namespace gpy {

using Kind = TypedExpression::Kind;

TypedType made_array(rt::DType dtype, int rank) {
  TypedType type = TypedType::array(dtype, rank, true);
  type.owned = true;
  return type;
}

TypedType owned_items(TypedType type) {
  if (type.is_array()) type.owned = true;
  if (type.is_tuple()) {
    for (TypedType& item : type.items) item = owned_items(std::move(item));
  }
  return type;
}

TypedType seen_array(const TypedType& array, int rank, bool dense) {
  TypedType type = array;
  type.rank = rank;
  type.dense = dense;
  return type;
}

std::string number_symbol(rt::DType dtype) { return rt::typed::cpp_type(TypedType::number(dtype)); }

std::string element_symbol(rt::DType dtype) { return std::string(rt::cpp_memory_type_name(dtype)); }

TypedExpression failing_call(std::string symbol, TypedType type,
                             std::vector<TypedExpression> args) {
  TypedExpression out = support_call(std::move(symbol), std::move(type), std::move(args));
  out.fails = true;
  return out;
}

namespace {

// The arrays and numbers that a loop reads, each named by its place among them.
class Leaves {
 public:
  TypedExpression add(TypedExpression value) {
    if (is_elementwise(value)) return add_all(std::move(value));
    if (value.kind == Kind::kNumber) return value;
    TypedExpression out;
    out.kind = Kind::kPlace;
    out.index = static_cast<int>(all_.size());
    out.type = TypedType::number(value.type.dtype, value.type.weak);
    all_.push_back(std::move(value));
    return out;
  }

  int rank() const {
    int out = 0;
    for (const TypedExpression& each : all_) out = std::max(out, each.type.rank);
    return out;
  }
  std::vector<TypedExpression> take() { return std::move(all_); }

 private:
  TypedExpression add_all(TypedExpression value) {
    const int offset = static_cast<int>(all_.size());
    TypedExpression body = std::move(value.args[0]);
    for (size_t i = 1; i < value.args.size(); ++i) all_.push_back(std::move(value.args[i]));
    shift(body, offset);
    return body;
  }
  static void shift(TypedExpression& node, int offset) {
    if (node.kind == Kind::kPlace) node.index += offset;
    for (TypedExpression& each : node.args) shift(each, offset);
  }

  std::vector<TypedExpression> all_;
};

}  // namespace

TypedExpression elementwise(std::vector<TypedExpression> arguments, const ElementBody& body) {
  Leaves leaves;
  std::vector<TypedExpression> places;
  for (TypedExpression& each : arguments) places.push_back(leaves.add(std::move(each)));
  TypedExpression out;
  out.kind = Kind::kElementwise;
  out.args = {body(std::move(places))};
  out.type = made_array(out.args[0].type.dtype, leaves.rank());
  for (TypedExpression& each : leaves.take()) {
    out.effects = out.effects || each.effects;
    out.args.push_back(std::move(each));
  }
  return out;
}

TypedExpression assign_elements(TypedExpression to, TypedExpression value) {
  const TypedType type = TypedType::number(to.type.dtype);
  TypedExpression out;
  if (value.kind == Kind::kNumber) value = cast_to(std::move(value), type);
  out = elementwise({std::move(value)},
                    [&](auto places) { return cast_to(std::move(places[0]), type); });
  out.type = TypedType();
  out.effects = true;
  out.args.insert(out.args.begin() + 1, std::move(to));
  return out;
}

}  // namespace gpy
