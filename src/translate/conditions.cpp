// What is true or not: and, or, comparisons, choices.
#include "src/array/convert.h"
#include "src/array/operators.h"
#include "src/translate/function_translator.h"

namespace gpy {

using Kind = TypedExpression::Kind;

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
  const auto operand = [&](size_t i) {
    return try_expression([&] { return number(*node.values[i]); });
  };
  std::optional<TypedExpression> known = operand(0);
  for (size_t i = 1; i < node.values.size(); ++i) {
    if (!known) {  // its type is what the others tell
      known = operand(i);
      continue;
    }
    if (known->kind == Kind::kNumber && dialect_ != Dialect::kLanguage) {
      if (known->number.truth() != both) break;
      known = number(*node.values[i]);
      continue;
    }
    TypedExpression& out = *known;
    const bool truths = out.type == TypedType::truth();
    if (!truths) out = kept(std::move(out), node.values[i - 1]->span);
    ++conditional_;
    std::optional<TypedExpression> right = operand(i);
    --conditional_;
    if (!right) continue;
    TypedExpression& next = *right;
    if (truths && next.type == TypedType::truth()) {
      out = joined(std::move(out), std::move(next), both);
    } else if (both) {
      out = choice(truth_of(out), std::move(next), out, node.span);
    } else {
      out = choice(truth_of(out), out, std::move(next), node.span);
    }
  }
  if (!known) throw UnknownItem(*unknown_);
  return std::move(*known);
}

CompareOp FunctionTranslator::compare_operator(syntax::CompareOperator op, syntax::Span place) {
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

TypedExpression FunctionTranslator::compared(const syntax::Comparison& node, TypedExpression left,
                                             TypedExpression right, syntax::Span place) {
  using enum syntax::CompareOperator;
  if (node.op == In || node.op == NotIn) {
    TypedExpression found = contains(std::move(right), std::move(left), place);
    return node.op == In ? found : negated_truth(std::move(found));
  }
  if (auto out = try_special_comparison(node.op, left, right, place)) return std::move(*out);
  const bool same_lists = left.type.is_list() && left.type.items == right.type.items;
  if (same_lists && (node.op == Eq || node.op == NotEq)) {
    TypedExpression same =
        support_call("list_equal", TypedType::truth(), {std::move(left), std::move(right)});
    return node.op == Eq ? same : negated_truth(std::move(same));
  }
  const bool both_known = left.kind == Kind::kNumber && right.kind == Kind::kNumber;
  if (both_known && dialect_ != Dialect::kLanguage && rt::is_integer(left.type.dtype) &&
      rt::is_integer(right.type.dtype)) {
    const Value truth =
        vm_.compare(compare_operator(node.op, node.op_span), python_number(vm_, left.number),
                    python_number(vm_, right.number));
    return TypedExpression::constant(rt::Scalar(vm_.truth(truth)));
  }
  if (left.type.is_tuple() && right.type.is_tuple())
    return compare_tuples(node.op, kept(std::move(left), place), kept(std::move(right), place),
                          place);
  return row(ufunc_of(compare_operator(node.op, node.op_span)), {std::move(left), std::move(right)},
             RowUse::kOperator, place);
}

TypedExpression FunctionTranslator::negated_truth(TypedExpression operand) {
  if (operand.kind == Kind::kNumber)
    return TypedExpression::constant(rt::Scalar(!operand.number.truth()));
  TypedExpression out;
  out.kind = Kind::kNot;
  out.type = TypedType::truth();
  out.effects = operand.effects;
  out.args = {std::move(operand)};
  return out;
}

// `x is None`, which is known while translating.
std::optional<TypedExpression> FunctionTranslator::try_none_test(const syntax::Compare& node) {
  const syntax::Comparison& only = node.comparisons[0];
  const bool asks =
      only.op == syntax::CompareOperator::Is || only.op == syntax::CompareOperator::IsNot;
  const auto* none = syntax::try_as<syntax::Constant>(only.right);
  if (node.comparisons.size() != 1 || !asks || !none ||
      none->constant_kind != syntax::ConstantKind::None)
    return std::nullopt;
  const Value known = known_name(*node.left);
  const bool is_none = known.is_defined() && known.is_none();
  const bool wanted = only.op == syntax::CompareOperator::Is;
  return TypedExpression::constant(rt::Scalar(is_none == wanted));
}

TypedExpression FunctionTranslator::visit_expression(const syntax::Compare& node) {
  if (auto known = try_none_test(node)) return std::move(*known);
  if (auto known = try_known_comparison(node)) return std::move(*known);
  TypedExpression left = expression(*node.left);
  std::optional<TypedExpression> out;
  for (size_t i = 0; i < node.comparisons.size(); ++i) {
    const syntax::Comparison& each = node.comparisons[i];
    conditional_ += i > 0;
    const size_t before = block_->size();
    TypedExpression right = expression(*each.right);
    left = in_order(std::move(left), before, node.left->span);
    const bool is_last = i + 1 == node.comparisons.size();
    if (!is_last) right = kept(std::move(right), each.right->span);
    TypedExpression one = compared(each, std::move(left), right, node.span);
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
  if (test.kind == Kind::kNumber)
    return expression(test.number.truth() ? *node.body : *node.orelse);
  ++conditional_;
  auto yes = try_expression([&] { return expression(*node.body); });
  auto no = try_expression([&] { return expression(*node.orelse); });
  --conditional_;
  if (!yes && !no) throw UnknownItem(*unknown_);
  if (!yes || !no) return std::move(yes ? *yes : *no);
  return choice(std::move(test), std::move(*yes), std::move(*no), node.span);
}

}  // namespace gpy
