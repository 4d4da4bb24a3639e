// Tuples, attributes, and elements of arrays by ints.
#include <algorithm>

#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"
#include "src/translate/signs.h"

namespace gpy {

using Kind = TypedExpression::Kind;

TypedExpression FunctionTranslator::tuple_of(std::vector<TypedExpression> items) {
  TypedExpression out;
  out.kind = Kind::kTuple;
  std::vector<TypedType> types;
  for (const TypedExpression& each : items) {
    types.push_back(each.type);
    out.effects = out.effects || each.effects;
  }
  out.type = TypedType::tuple(std::move(types));
  out.args = std::move(items);
  return out;
}

TypedExpression FunctionTranslator::item_of(const TypedExpression& tuple, size_t index) {
  if (tuple.kind == Kind::kTuple && !tuple.effects) return tuple.args[index];
  TypedExpression out;
  out.kind = Kind::kItem;
  out.index = static_cast<int>(index);
  out.type = tuple.type.items[index];
  out.effects = tuple.effects;
  out.args = {tuple};
  return out;
}

TypedExpression FunctionTranslator::joined_tuples(TypedExpression left, TypedExpression right,
                                                  syntax::Span place) {
  left = kept(std::move(left), place);
  right = kept(std::move(right), place);
  std::vector<TypedExpression> items;
  for (const TypedExpression* each : {&left, &right}) {
    for (size_t i = 0; i < each->type.items.size(); ++i) items.push_back(item_of(*each, i));
  }
  return tuple_of(std::move(items));
}

TypedExpression FunctionTranslator::visit_expression(const syntax::Tuple& node) {
  std::vector<TypedExpression> items;
  for (const syntax::Expr* each : node.elts) items.push_back(expression(*each));
  return tuple_of(std::move(items));
}

TypedExpression FunctionTranslator::visit_expression(const syntax::NamedExpr& node) {
  check_dialect(node.span);
  if (conditional_ > 0)
    fail_translation(node.span, "':=' in the midst of a condition: assign in a statement before");
  assign(*node.target, expression(*node.value), node.span);
  return expression(*node.target);
}

TypedExpression FunctionTranslator::extent(const TypedExpression& array, int axis) {
  TypedExpression out;
  out.kind = Kind::kExtent;
  out.index = axis;
  out.type = int_type(dialect_);
  out.args = {array};
  return out;
}

TypedExpression FunctionTranslator::shape(const TypedExpression& array) {
  std::vector<TypedExpression> extents;
  for (int axis = 0; axis < array.type.rank; ++axis) extents.push_back(extent(array, axis));
  return tuple_of(std::move(extents));
}

TypedExpression FunctionTranslator::visit_expression(const syntax::Attribute& node) {
  if (const Value value = static_value(node); value.is_defined())
    return constant_value(value, node.span);
  TypedExpression object = expression(*node.value);
  if (object.type.is_number()) return part_of_number(std::move(object), node);
  if (object.type.is_instance()) return instance_attribute(std::move(object), node);
  if (object.type.is_named_tuple()) return named_item(std::move(object), node);
  if (auto axis = try_axis(object, node)) return std::move(*axis);
  if (!object.type.is_array())
    fail_translation(node.span, "{} has no attribute '{}' here", rt::typed::type_text(object.type),
                     node.attr);
  object = kept(std::move(object), node.span);
  if (node.attr == "shape") return shape(object);
  if (node.attr == "ndim") return literal(dialect_, rt::Scalar::weak(int64_t{object.type.rank}));
  if (node.attr == "size") {
    return support_call("element_count", int_type(dialect_), {std::move(object)});
  }
  if (node.attr == "real" && !rt::is_complex(object.type.dtype)) return object;
  if (node.attr == "real" || node.attr == "imag")
    return row(rt::ufunc(node.attr == "real" ? rt::Row::real : rt::Row::imag), {object},
               RowUse::kFunction, node.span);
  if (node.attr == "itemsize" || node.attr == "nbytes") {
    const int64_t bytes = static_cast<int64_t>(rt::item_size(object.type.dtype));
    const TypedExpression each = literal(dialect_, rt::Scalar::weak(bytes));
    if (node.attr == "itemsize") return each;
    return binary(syntax::BinaryOperator::Mult,
                  support_call("element_count", int_type(dialect_), {object}), each, node.span);
  }
  if (node.attr == "flat") return flat(std::move(object));
  if (node.attr == "T") return support_call("transposed", view_type(object.type), {object});
  fail_translation(node.span, "arrays of a compiled body have no attribute '{}'", node.attr);
}

// a.flat: of an array that is not dense a copy, which is read only.
TypedExpression FunctionTranslator::flat(TypedExpression array) {
  TypedType type = made_array(array.type.dtype, 1);
  if (array.type.dense) type = seen_array(array.type, 1, true);
  else type.constant = true;
  return failing_call("reshaped<1>", type,
                      {std::move(array), literal(dialect_, rt::Scalar::weak(int64_t{-1}))});
}

TypedType FunctionTranslator::view_type(TypedType array) {
  array.dense = false;
  return array;
}

TypedExpression FunctionTranslator::part_of_number(TypedExpression number,
                                                   const syntax::Attribute& node) {
  const bool is_real = node.attr == "real";
  if (!is_real && node.attr != "imag")
    fail_translation(node.span, "numbers have no attribute '{}' here", node.attr);
  if (rt::is_complex(number.type.dtype)) {
    return row(rt::ufunc(is_real ? rt::Row::real : rt::Row::imag), {std::move(number)},
               RowUse::kFunction, node.span);
  }
  if (is_real) return number;
  const TypedType type = number.type;
  return cast_to(literal(dialect_, rt::Scalar::weak(int64_t{0})), type);
}

TypedExpression FunctionTranslator::conjugated(TypedExpression number, syntax::Span place) {
  return row(rt::ufunc(rt::Row::conjugate), {std::move(number)}, RowUse::kFunction, place);
}

TypedExpression FunctionTranslator::visit_expression(const syntax::Subscript& node) {
  TypedExpression object = expression(*node.value);
  if (object.type.is_tuple()) return tuple_item(std::move(object), node);
  if (object.type.is_map()) return map_item(std::move(object), expression(*node.slice), node.span);
  if (object.type.is_instance()) {
    if (auto out = try_special("__getitem__", {object, expression(*node.slice)}, node.span))
      return std::move(*out);
  }
  return element(std::move(object), *node.slice, node.span);
}

TypedExpression FunctionTranslator::tuple_item(TypedExpression tuple,
                                               const syntax::Subscript& node) {
  if (const auto* slice = syntax::try_as<syntax::Slice>(node.slice))
    return tuple_slice(std::move(tuple), *slice);
  const TypedExpression index = number(*node.slice);
  const auto count = static_cast<int64_t>(tuple.type.items.size());
  if (index.kind != Kind::kNumber || !rt::is_integer(index.type.dtype))
    return tuple_at(kept(std::move(tuple), node.span), index, node.slice->span);
  const int64_t at = index.number.as_int() + (index.number.as_int() < 0 ? count : 0);
  if (at < 0 || at >= count) fail_translation(node.slice->span, "tuple index out of range");
  return item_of(tuple, static_cast<size_t>(at));
}

// tuple[a:b:c] by literals.
TypedExpression FunctionTranslator::tuple_slice(TypedExpression tuple, const syntax::Slice& node) {
  const auto count = static_cast<int64_t>(tuple.type.items.size());
  const auto bound = [&](const syntax::Expr* part, int64_t otherwise) {
    if (!part) return otherwise;
    const TypedExpression at = number(*part);
    if (at.kind != Kind::kNumber || !rt::is_integer(at.type.dtype))
      fail_translation(part->span, "a tuple is cut by literal ints");
    return at.number.as_int();
  };
  const int64_t step = bound(node.step, 1);
  if (step == 0) fail_translation(node.span, "slice step cannot be zero");
  const int64_t low = step < 0 ? -1 : 0, high = step < 0 ? count - 1 : count;
  const auto place = [&](const syntax::Expr* part, int64_t otherwise) {
    const int64_t at = bound(part, otherwise);
    return part ? std::clamp(at < 0 ? at + count : at, low, high) : otherwise;
  };
  const int64_t first = place(node.lower, step < 0 ? high : low);
  const int64_t end = place(node.upper, step < 0 ? low : high);
  if (tuple.kind != Kind::kTuple) tuple = kept(std::move(tuple), node.span);
  std::vector<TypedExpression> items;
  for (int64_t i = first; step < 0 ? i > end : i < end; i += step)
    items.push_back(tuple.kind == Kind::kTuple ? tuple.args[static_cast<size_t>(i)]
                                               : item_of(tuple, static_cast<size_t>(i)));
  return tuple_of(std::move(items));
}

TypedExpression FunctionTranslator::position(const TypedExpression& array, int axis,
                                             TypedExpression index, syntax::Span place) {
  if (!index.type.is_number() || !rt::is_integer(index.type.dtype))
    fail_translation(place, "an index is an int, and this is {}", rt::typed::type_text(index.type));
  const bool counts_up = is_nonnegative(index, variables_);
  index = cast_to(std::move(index), int_type(dialect_));
  if (!counts_up) {
    index = support_call("from_end", int_type(dialect_), {std::move(index), extent(array, axis)});
  }
  if (!program_.options.checks_bounds || program_.target != Target::kFunction) return index;
  return failing_call("checked", int_type(dialect_), {std::move(index), extent(array, axis)});
}

TypedExpression FunctionTranslator::element(TypedExpression array, const syntax::Expr& index,
                                            syntax::Span place) {
  if (array.type.is_list()) {
    if (const auto* slice = syntax::try_as<syntax::Slice>(&index))
      return list_slice(std::move(array), *slice);
    return list_item(std::move(array), expression(index), place);
  }
  if (!array.type.is_array())
    fail_translation(place, "{} cannot be indexed", rt::typed::type_text(array.type));
  if (is_slicing(index)) return sliced(std::move(array), index, place);
  std::vector<TypedExpression> indices;
  if (const auto* tuple = syntax::try_as<syntax::Tuple>(&index)) {
    for (const syntax::Expr* each : tuple->elts) indices.push_back(index_of(*each));
  } else {
    indices = split_index(index_of(index), place);
  }
  if (any_array(indices)) return picked(std::move(array), std::move(indices), place);
  // The array of a field lives as long as its instance has it.
  if (array.kind == Kind::kField) array = borrowed(std::move(array));
  if (array.kind != Kind::kVariable) array = kept(std::move(array), place);
  if (static_cast<int>(indices.size()) > array.type.rank) {
    fail_translation(place, "too many indices: the array has {} axes, and {} are indexed",
                     array.type.rank, indices.size());
  }
  TypedExpression at = std::move(array);
  const bool is_element = static_cast<int>(indices.size()) == at.type.rank;
  while (static_cast<int>(indices.size()) < at.type.rank && !indices.empty()) {
    // A row on the way to an element shares nothing: the array lives as long.
    if (is_element && indices.size() > 1 && at.type.owned) at = borrowed(std::move(at));
    at = item_at(at, indices.front(), place);
    indices.erase(indices.begin());
    if (!indices.empty()) at = kept(std::move(at), place);
  }
  if (indices.empty() && at.type.rank > 0) return at;
  return element_at(at, std::move(indices), place);
}

TypedExpression FunctionTranslator::borrowed(TypedExpression array) {
  TypedType type = array.type;
  type.owned = false;
  return support_call("borrowed", type, {std::move(array)});
}

TypedExpression FunctionTranslator::index_of(const syntax::Expr& node) { return expression(node); }

// a[place], where place is a tuple.
std::vector<TypedExpression> FunctionTranslator::split_index(TypedExpression index,
                                                             syntax::Span place) {
  if (!index.type.is_tuple()) return {std::move(index)};
  index = kept(std::move(index), place);
  std::vector<TypedExpression> out;
  for (size_t i = 0; i < index.type.items.size(); ++i) out.push_back(item_of(index, i));
  return out;
}

TypedExpression FunctionTranslator::element_at(const TypedExpression& array,
                                               std::vector<TypedExpression> indices,
                                               syntax::Span place) {
  TypedExpression out;
  out.kind = Kind::kElement;
  out.type = TypedType::number(array.type.dtype);
  out.args = {array};
  out.effects = array.effects;
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    out.effects = out.effects || indices[axis].effects;
    out.args.push_back(position(array, static_cast<int>(axis), std::move(indices[axis]), place));
  }
  return out;
}

TypedExpression FunctionTranslator::item_at(const TypedExpression& array,
                                            const TypedExpression& index, syntax::Span place) {
  if (array.type.rank == 1) return element_at(array, {index}, place);
  const TypedType type = seen_array(array.type, array.type.rank - 1, array.type.dense);
  return support_call("row", type, {array, position(array, 0, index, place)});
}

}  // namespace gpy
