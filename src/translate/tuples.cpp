// Tuples as sequences: items by an index that is not known while translating, order, membership.
#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"

namespace gpy {

using Kind = TypedExpression::Kind;

// A choice among the items, which have one type.
TypedExpression FunctionTranslator::tuple_at(const TypedExpression& tuple, TypedExpression index,
                                             syntax::Span place) {
  check_dialect(place);
  const size_t count = tuple.type.items.size();
  if (count == 0) fail_translation(place, "this tuple is empty");
  if (!index.type.is_number() || !rt::is_integer(index.type.dtype))
    fail_translation(place, "an index is an int, and this is {}", rt::typed::type_text(index.type));
  const auto number = [&](size_t i) {
    return literal(dialect_, rt::Scalar::weak(static_cast<int64_t>(i)));
  };
  TypedExpression at = support_call("from_end", int_type(dialect_),
                                    {cast_to(std::move(index), int_type(dialect_)), number(count)});
  at = kept(std::move(at), place);
  TypedExpression out = item_of(tuple, count - 1);
  for (size_t i = count - 1; i-- > 0;) {
    TypedExpression here =
        row(rt::ufunc(rt::Row::equal), {at, number(i)}, RowUse::kOperator, place);
    out = choice(std::move(here), item_of(tuple, i), std::move(out), place);
  }
  return out;
}

// The first items that differ decide.
TypedExpression FunctionTranslator::compare_tuples(syntax::CompareOperator op,
                                                   const TypedExpression& left,
                                                   const TypedExpression& right,
                                                   syntax::Span place) {
  using enum syntax::CompareOperator;
  check_dialect(place);
  const size_t count = std::min(left.type.items.size(), right.type.items.size());
  const auto order = left.type.items.size() <=> right.type.items.size();
  if (op == NotEq) return negated_truth(compare_tuples(Eq, left, right, place));
  if (op == Gt) return compare_tuples(Lt, right, left, place);
  if (op == GtE) return compare_tuples(LtE, right, left, place);
  const bool rest = op == Eq ? order == 0 : op == Lt ? order < 0 : order <= 0;
  TypedExpression out = TypedExpression::constant(rt::Scalar(rest));
  for (size_t i = count; i-- > 0;) {
    const TypedExpression x = item_of(left, i), y = item_of(right, i);
    const auto compare = [&](rt::Row which) {
      return row(rt::ufunc(which), {x, y}, RowUse::kOperator, place);
    };
    out = joined(compare(rt::Row::equal), std::move(out), true);
    if (op != Eq) out = joined(compare(rt::Row::less), std::move(out), false);
  }
  return out;
}

TypedExpression FunctionTranslator::contains(TypedExpression sequence, TypedExpression item,
                                             syntax::Span place) {
  check_dialect(place);
  if (sequence.type.is_map() && sequence.type.items.empty()) {
    note(UnknownItem{place});  // what it guards may tell the types
    return support_call("map_has", TypedType::truth(), {std::move(sequence)});
  }
  if (sequence.type.is_map()) {
    item = as_key(sequence, std::move(item), place);
    return support_call("map_has", TypedType::truth(), {std::move(sequence), std::move(item)});
  }
  if (sequence.type.is_list())
    return support_call("list_has", TypedType::truth(), {std::move(sequence), std::move(item)});
  const rt::Ufunc& equal = rt::ufunc(rt::Row::equal);
  if (sequence.type.is_array()) {
    return failing_call(
        "any_of", TypedType::truth(),
        {row(equal, {std::move(sequence), std::move(item)}, RowUse::kOperator, place)});
  }
  if (!sequence.type.is_tuple())
    fail_translation(place, "{} has no members", rt::typed::type_text(sequence.type));
  sequence = kept(std::move(sequence), place);
  item = kept(std::move(item), place);
  TypedExpression out = TypedExpression::constant(rt::Scalar(false));
  for (size_t i = sequence.type.items.size(); i-- > 0;)
    out = joined(row(equal, {item_of(sequence, i), item}, RowUse::kOperator, place), std::move(out),
                 false);
  return out;
}

// sum() of a tuple, a list or an array.
TypedExpression FunctionTranslator::sum_builtin(const syntax::Call& node) {
  check_dialect(node.span);
  check_count(node, 1, 1);
  TypedExpression of = expression(*node.args[0]);
  if (of.type.is_tuple()) {
    of = kept(std::move(of), node.span);
    TypedExpression out = literal(dialect_, rt::Scalar::weak(int64_t{0}));
    for (size_t i = 0; i < of.type.items.size(); ++i)
      out = binary(syntax::BinaryOperator::Add, std::move(out), item_of(of, i), node.span);
    return out;
  }
  const bool is_vector = of.type.is_array() && of.type.rank == 1;
  if (!is_vector && !of.type.is_list())
    fail_translation(node.span, "sum() takes a tuple, a list or an array of one axis here, not {}",
                     rt::typed::type_text(of.type));
  const bool is_list = of.type.is_list();
  if (is_list && of.type.items.empty()) throw UnknownItem{node.span};
  const TypedType item = is_list ? of.type.items[0] : TypedType::number(of.type.dtype);
  const bool is_whole = rt::is_integer(item.dtype) || item.dtype == rt::DType::kBool;
  const TypedType type = is_whole ? int_type(dialect_) : item;
  return failing_call(
      fmt::format("{}<{}>", is_list ? "list_sum" : "sum_of", number_symbol(type.dtype)), type,
      {std::move(of)});
}

}  // namespace gpy
