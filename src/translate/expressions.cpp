// Expressions: operators, names, elements.
#include <algorithm>
#include <charconv>
#include <complex>

#include "runtime/core/error.h"
#include "runtime/kernel/generated.h"
#include "src/array/convert.h"
#include "src/array/operators.h"
#include "src/lower/operators.h"
#include "src/translate/function_translator.h"
#include "src/translate/intrinsic.h"
#include "src/translate/signs.h"

namespace gpy {

using Kind = TypedExpression::Kind;

TypedExpression FunctionTranslator::expression(const syntax::Expr& node) {
  vm_.check_stack();
  return syntax::visit(node, [&](const auto& known) { return visit_expression(known); });
}

void FunctionTranslator::refuse_expression(const syntax::Expr& node) {
  fail_translation(node.span, "a compiled body cannot hold this expression ({})",
                   syntax::kind_name(node.kind));
}

TypedExpression FunctionTranslator::number(const syntax::Expr& node) {
  TypedExpression out = expression(node);
  if (out.type.is_number()) return out;
  fail_translation(node.span, "this is {}, and a number is needed", rt::typed::type_text(out.type));
}

TypedExpression FunctionTranslator::condition(const syntax::Expr& node) {
  return truth_of(number(node));
}

static uint64_t wide_literal(const syntax::Constant& node) {
  const bool is_hex = node.text.starts_with("0x");
  const std::string_view digits = node.text.substr(is_hex ? 2 : 0);
  uint64_t out = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out, is_hex ? 16 : 10);
  if (error != std::errc()) fail_translation(node.span, "this int needs more than 64 bits");
  return out;
}

TypedExpression FunctionTranslator::visit_expression(const syntax::Constant& node) {
  using enum syntax::ConstantKind;
  switch (node.constant_kind) {
    case True: return TypedExpression::constant(rt::Scalar(true));
    case False: return TypedExpression::constant(rt::Scalar(false));
    case Integer: return literal(dialect_, rt::Scalar::weak(node.integer));
    case Float: return literal(dialect_, rt::Scalar::weak(node.real));
    case Imaginary: return literal(dialect_, rt::Scalar::weak(std::complex<double>(0, node.real)));
    case BigInteger: return literal(dialect_, rt::Scalar::weak_unsigned(wide_literal(node)));
    case None: fail_translation(node.span, "None has no place in a compiled body");
    default: fail_translation(node.span, "a compiled body works on numbers and arrays");
  }
}

TypedExpression FunctionTranslator::visit_expression(const syntax::Name& node) {
  if (const int variable = variables_.find(node.id); variable >= 0)
    return read(variable, node.span);
  const Value value = static_value(node);
  if (value.is_undefined()) fail_translation(node.span, "name '{}' is not defined", node.id);
  return constant_value(value, node.span);
}

TypedExpression FunctionTranslator::read(int variable, syntax::Span place) {
  if (variable < 0) fail_translation(place, "a name that this reads has no value yet");
  const size_t index = static_cast<size_t>(variable);
  const bool known = dialect_ == Dialect::kNumba ? flow_.maybe[index] : flow_.surely[index];
  if (!known || !variables_.type(variable)) {
    fail_translation(place, "'{}' may be read here before it has a value",
                     variables_.name(variable));
  }
  return TypedExpression::variable(variable, *variables_.type(variable));
}

TypedExpression FunctionTranslator::constant_value(const Value& value, syntax::Span place) {
  if (const Tuple* tuple = value.try_as<Tuple>()) {
    std::vector<TypedExpression> items;
    for (size_t i = 0; i < tuple->size; ++i)
      items.push_back(constant_value(const_cast<Tuple&>(*tuple)[i], place));
    return tuple_of(std::move(items));
  }
  if (const auto* intrinsic = value.try_as<IntrinsicObject>()) {
    const Intrinsic* known = find_intrinsic(intrinsic->name);
    if (known && !known->call) return intrinsic_value(*known, place);
  }
  const Ndarray* array = as_ndarray(value);
  if (array && array->array.rank() > 0) return frozen_array(array->array);
  const std::optional<rt::Scalar> number = try_number(vm_, value);
  if (number) return literal(dialect_, *number);
  fail_translation(place, "a compiled body cannot use this {}: pass it as an argument",
                   vm_.type_name(value));
}

TypedExpression FunctionTranslator::frozen_array(const rt::Array& array) {
  constexpr int64_t kMostBytes = 1 << 16;
  if (array.bytes() > kMostBytes)
    fail_translation({}, "an array of the module with {} bytes: pass it as an argument", array.bytes());
  const rt::Array dense = rt::dense_in(session(vm_), array, rt::Space::host());
  const rt::LentMemory lent(session(vm_), dense, rt::kHostPlace, rt::LentMemory::Use::kRead);
  rt::typed::Storage storage;
  storage.kind = rt::typed::Storage::Kind::kConstant;
  storage.dtype = array.dtype().native();
  storage.count = array.size();
  storage.bytes.assign(static_cast<const char*>(lent.address()),
                       static_cast<size_t>(dense.bytes()));
  TypedExpression out = memory(std::move(storage), {array.shape().begin(), array.shape().end()});
  out.type.constant = true;
  return out;
}

// --- operators -----------------------------------------------------------------------------------

TypedExpression FunctionTranslator::row(const rt::Ufunc& ufunc, std::vector<TypedExpression> args,
                                        RowUse use, syntax::Span place) {
  for (const TypedExpression& each : args) {
    if (each.type.is_number()) continue;
    fail_translation(place, "'{}' of {}: index the elements in a loop", ufunc.name,
                     rt::typed::type_text(each.type));
  }
  try {
    return apply_row(dialect_, ufunc, std::move(args), use);
  } catch (const rt::Error& error) {
    fail_translation(place, "{}", error.message());
  }
}

TypedExpression FunctionTranslator::visit_expression(const syntax::BinOp& node) {
  TypedExpression left = expression(*node.left);
  const size_t before = block_->size();
  TypedExpression right = expression(*node.right);
  return binary(node.op, in_order(std::move(left), before, node.left->span), std::move(right),
                node.span);
}

TypedExpression FunctionTranslator::in_order(TypedExpression left, size_t before,
                                             syntax::Span place) {
  const size_t after = block_->size();
  const bool may_change = left.kind != Kind::kNumber && left.kind != Kind::kVariable;
  if (after == before || !may_change || conditional_ > 0) return left;
  left = kept(std::move(left), place);
  if (block_->size() == after) return left;
  std::rotate(block_->begin() + static_cast<long>(before), block_->begin() + static_cast<long>(after),
              block_->end());
  return left;
}

static bool is_constant(const TypedExpression& value, int64_t number) {
  return value.kind == Kind::kNumber && rt::is_integer(value.type.dtype) &&
         value.number.as_int() == number;
}

TypedExpression FunctionTranslator::power(TypedExpression base, TypedExpression exponent,
                                          syntax::Span place) {
  if (is_constant(exponent, 2) && base.type.is_number() && base.type.dtype != rt::DType::kBool)
    return row(rt::ufunc(rt::Row::square), {std::move(base)}, RowUse::kOperator, place);
  const bool whole = rt::is_integer(base.type.dtype) || base.type.dtype == rt::DType::kBool;
  const bool negative = exponent.kind == Kind::kNumber && rt::is_integer(exponent.type.dtype) &&
                        exponent.number.as_int() < 0;
  if (whole && negative) base = cast_to(std::move(base), float_type(dialect_));
  if (dialect_ == Dialect::kNumba && rt::is_float(base.type.dtype) &&
      rt::is_integer(exponent.type.dtype)) {
    const TypedType type = base.type;
    exponent = cast_to(std::move(exponent), int_type(dialect_));
    return support_call("power_by_int", type, {std::move(base), std::move(exponent)});
  }
  return row(rt::ufunc(rt::Row::power), {std::move(base), std::move(exponent)}, RowUse::kOperator,
             place);
}

TypedExpression FunctionTranslator::divisor(TypedExpression value, syntax::Span place) {
  const bool is_safe = value.kind == Kind::kNumber && value.number.truth();
  if (program_.target != Target::kFunction || is_safe || !value.type.is_number()) return value;
  const TypedType type = value.type;
  const int64_t line = source_.tree->source->line_of(place.begin);
  return support_call("divisor", type,
                      {std::move(value), TypedExpression::constant(rt::Scalar::weak(line))});
}

TypedExpression FunctionTranslator::binary(syntax::BinaryOperator op, TypedExpression left,
                                           TypedExpression right, syntax::Span place) {
  using enum syntax::BinaryOperator;
  if (op == MatMult) fail_translation(place, "a compiled body has no matrix product: write loops");
  if (op == Add && left.type.is_tuple() && right.type.is_tuple())
    return joined_tuples(std::move(left), std::move(right), place);
  if (op == Pow && left.type.is_number() && right.type.is_number())
    return power(std::move(left), std::move(right), place);
  if (op == Div || op == FloorDiv || op == Mod) right = divisor(std::move(right), place);
  return row(ufunc_of(binary_operator(op)), {std::move(left), std::move(right)}, RowUse::kOperator,
             place);
}

// A literal with a sign is a literal.
static std::optional<rt::Scalar> negated(const TypedExpression& value) {
  if (value.kind != Kind::kNumber) return std::nullopt;
  const rt::Scalar& number = value.number;
  if (number.dtype() == rt::DType::kInt64 && number.as_int() != INT64_MIN) {
    const rt::Scalar out = rt::Scalar::weak(-number.as_int());
    return number.weakness() == rt::Weak::kNo ? out.cast(out.dtype()) : out;
  }
  if (number.dtype() == rt::DType::kFloat64) {
    const rt::Scalar out = rt::Scalar::weak(-number.as_double());
    return number.weakness() == rt::Weak::kNo ? out.cast(out.dtype()) : out;
  }
  return std::nullopt;
}

TypedExpression FunctionTranslator::visit_expression(const syntax::UnaryOp& node) {
  using enum syntax::UnaryOperator;
  if (node.op == Not) {
    TypedExpression operand = condition(*node.operand), out;
    out.kind = Kind::kNot;
    out.type = TypedType::truth();
    out.effects = operand.effects;
    out.args = {std::move(operand)};
    return out;
  }
  TypedExpression operand = number(*node.operand);
  if (node.op == USub) {
    if (const auto literal = negated(operand)) return TypedExpression::constant(*literal);
  }
  const rt::Row which = node.op == USub   ? rt::Row::negative
                        : node.op == UAdd ? rt::Row::positive
                                          : rt::Row::invert;
  return row(rt::ufunc(which), {std::move(operand)}, RowUse::kOperator, node.span);
}

TypedExpression FunctionTranslator::joined(TypedExpression left, TypedExpression right, bool both) {
  TypedExpression out;
  out.kind = both ? Kind::kAnd : Kind::kOr;
  out.type = TypedType::truth();
  out.effects = left.effects || right.effects;
  out.args = {std::move(left), std::move(right)};
  return out;
}

// `a and b` is `b if a else a`.
TypedExpression FunctionTranslator::visit_expression(const syntax::BoolOp& node) {
  const bool both = node.op == syntax::BoolOperator::And;
  TypedExpression out = number(*node.values[0]);
  for (size_t i = 1; i < node.values.size(); ++i) {
    const bool truths = out.type == TypedType::truth();
    if (!truths) out = kept(std::move(out), node.values[i - 1]->span);
    ++conditional_;
    TypedExpression next = number(*node.values[i]);
    --conditional_;
    if (truths && next.type == TypedType::truth()) {
      out = joined(std::move(out), std::move(next), both);
    } else if (both) {
      out = choice(truth_of(out), std::move(next), out, node.span);
    } else {
      out = choice(truth_of(out), out, std::move(next), node.span);
    }
  }
  return out;
}

static CompareOp compare_operator(syntax::CompareOperator op, syntax::Span place) {
  using enum syntax::CompareOperator;
  switch (op) {
    case Eq: return CompareOp::equal;
    case NotEq: return CompareOp::not_equal;
    case Lt: return CompareOp::less;
    case LtE: return CompareOp::less_equal;
    case Gt: return CompareOp::greater;
    case GtE: return CompareOp::greater_equal;
    default:
      fail_translation(place, "a compiled body compares by order and equality, not by '{}'",
                       syntax::symbol(op));
  }
}

TypedExpression FunctionTranslator::visit_expression(const syntax::Compare& node) {
  TypedExpression left = number(*node.left);
  std::optional<TypedExpression> out;
  for (size_t i = 0; i < node.comparisons.size(); ++i) {
    const syntax::Comparison& each = node.comparisons[i];
    const rt::Ufunc& ufunc = ufunc_of(compare_operator(each.op, each.op_span));
    conditional_ += i > 0;
    const size_t before = block_->size();
    TypedExpression right = number(*each.right);
    left = in_order(std::move(left), before, node.left->span);
    const bool is_last = i + 1 == node.comparisons.size();
    if (!is_last) right = kept(std::move(right), each.right->span);
    TypedExpression one = row(ufunc, {std::move(left), right}, RowUse::kOperator, node.span);
    conditional_ -= i > 0;
    out = out ? joined(std::move(*out), std::move(one), true) : std::move(one);
    left = std::move(right);
  }
  return *out;
}

TypedExpression FunctionTranslator::choice(TypedExpression test, TypedExpression yes,
                                           TypedExpression no, syntax::Span place) {
  const std::optional<TypedType> type = try_join(dialect_, yes.type, no.type);
  if (!type) {
    fail_translation(place, "this is either {} or {}: a value has one type",
                     rt::typed::type_text(yes.type), rt::typed::type_text(no.type));
  }
  TypedExpression out;
  out.kind = Kind::kChoice;
  out.type = *type;
  out.effects = test.effects || yes.effects || no.effects;
  out.args = {std::move(test), cast_to(std::move(yes), *type), cast_to(std::move(no), *type)};
  return out;
}

TypedExpression FunctionTranslator::visit_expression(const syntax::IfExp& node) {
  TypedExpression test = condition(*node.test);
  ++conditional_;
  TypedExpression yes = expression(*node.body), no = expression(*node.orelse);
  --conditional_;
  return choice(std::move(test), std::move(yes), std::move(no), node.span);
}

// --- tuples and arrays ---------------------------------------------------------------------------

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
  if (!object.type.is_array())
    fail_translation(node.span, "{} has no attribute '{}' here", rt::typed::type_text(object.type),
                     node.attr);
  object = kept(std::move(object), node.span);
  if (node.attr == "shape") return shape(object);
  if (node.attr == "ndim") return literal(dialect_, rt::Scalar::weak(int64_t{object.type.rank}));
  if (node.attr == "size") {
    return support_call("element_count", int_type(dialect_), {std::move(object)});
  }
  if (node.attr == "T") return support_call("transposed", view_type(object.type), {object});
  fail_translation(node.span, "arrays of a compiled body have no attribute '{}'", node.attr);
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

TypedExpression FunctionTranslator::visit_expression(const syntax::Subscript& node) {
  TypedExpression object = expression(*node.value);
  if (object.type.is_tuple()) return tuple_item(std::move(object), node);
  return element(std::move(object), *node.slice, node.span);
}

TypedExpression FunctionTranslator::tuple_item(TypedExpression tuple,
                                               const syntax::Subscript& node) {
  const TypedExpression index = number(*node.slice);
  const auto count = static_cast<int64_t>(tuple.type.items.size());
  if (index.kind != Kind::kNumber || !rt::is_integer(index.type.dtype))
    fail_translation(node.slice->span, "a tuple of a compiled body is indexed by a literal");
  const int64_t at = index.number.as_int() + (index.number.as_int() < 0 ? count : 0);
  if (at < 0 || at >= count) fail_translation(node.slice->span, "tuple index out of range");
  return item_of(tuple, static_cast<size_t>(at));
}

TypedExpression FunctionTranslator::position(const TypedExpression& array, int axis,
                                             TypedExpression index, syntax::Span place) {
  if (!index.type.is_number() || !rt::is_integer(index.type.dtype))
    fail_translation(place, "an index is an int, and this is {}", rt::typed::type_text(index.type));
  const bool counts_up = is_nonnegative(index, variables_);
  index = cast_to(std::move(index), int_type(dialect_));
  if (counts_up) return index;
  return support_call("from_end", int_type(dialect_), {std::move(index), extent(array, axis)});
}

TypedExpression FunctionTranslator::element(TypedExpression array, const syntax::Expr& index,
                                            syntax::Span place) {
  if (!array.type.is_array())
    fail_translation(place, "{} cannot be indexed", rt::typed::type_text(array.type));
  std::vector<TypedExpression> indices;
  if (const auto* tuple = syntax::try_as<syntax::Tuple>(&index)) {
    for (const syntax::Expr* each : tuple->elts) indices.push_back(index_of(*each));
  } else {
    indices = split_index(index_of(index), place);
  }
  if (array.kind != Kind::kVariable) array = kept(std::move(array), place);
  if (static_cast<int>(indices.size()) > array.type.rank) {
    fail_translation(place, "too many indices: the array has {} axes, and {} are indexed",
                     array.type.rank, indices.size());
  }
  TypedExpression at = std::move(array);
  while (static_cast<int>(indices.size()) < at.type.rank && !indices.empty()) {
    at = item_at(at, indices.front(), place);
    indices.erase(indices.begin());
    if (!indices.empty()) at = kept(std::move(at), place);
  }
  if (indices.empty()) return at;
  return element_at(at, std::move(indices), place);
}

TypedExpression FunctionTranslator::index_of(const syntax::Expr& node) {
  if (node.kind == syntax::ExprKind::Slice)
    fail_translation(node.span, "a compiled body takes elements by ints: write a loop for a slice");
  return expression(node);
}

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
  const TypedType type = TypedType::array(array.type.dtype, array.type.rank - 1, array.type.dense);
  return support_call("row", type, {array, position(array, 0, index, place)});
}

}  // namespace gpy
