// Ranges, arrays, enumerate and zip in for loops.
#include "src/translate/iteration.h"

#include "src/objects/function.h"
#include "src/translate/function_translator.h"

namespace gpy {

// numba.prange.
static bool is_parallel(const Value& callee) {
  const auto* native = callee.is_defined() ? callee.try_as<NativeFunction>() : nullptr;
  return native && std::string_view(native->row->name) == "prange" && native->qualifier == "_numba";
}

bool FunctionTranslator::is_range(const Value& callee) const {
  if (callee.is_undefined()) return false;
  return is_parallel(callee) || (callee.is<Type>() && callee.as<Type>() == vm_.types.range);
}

bool FunctionTranslator::is_parallel_range(const syntax::Call& node) {
  return is_parallel(static_value(*node.func));
}

std::array<TypedExpression, 3> FunctionTranslator::range_bounds(const syntax::Call& node) {
  check_count(node, 1, 3);
  std::vector<TypedExpression> given = arguments(node);
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i].type.is_number() || !rt::is_integer(given[i].type.dtype)) {
      fail_translation(node.args[i]->span, "range() counts by ints, and this is {}",
                       rt::typed::type_text(given[i].type));
    }
    given[i] = cast_to(std::move(given[i]), int_type(dialect_));
  }
  const auto number = [](int64_t n) { return TypedExpression::constant(rt::Scalar::weak(n)); };
  if (given.size() == 1) return {number(0), std::move(given[0]), number(1)};
  if (given.size() == 2) return {std::move(given[0]), std::move(given[1]), number(1)};
  if (given[2].kind == TypedExpression::Kind::kNumber && given[2].number.as_int() == 0)
    fail_translation(node.args[2]->span, "range() arg 3 must not be zero");
  return {std::move(given[0]), std::move(given[1]), std::move(given[2])};
}

Iteration FunctionTranslator::iterate_over(const syntax::Expr& iterable,
                                           const syntax::Expr& target) {
  if (const auto* call = syntax::try_as<syntax::Call>(&iterable)) {
    const Value callee = static_value(*call->func);
    if (is_range(callee)) return iterate_range(*call, target);
    if (callee.is_defined() && callee.is<Type>()) {
      if (callee.as<Type>() == vm_.types.enumerate) return iterate_enumerated(*call, target);
      if (callee.as<Type>() == vm_.types.zip) return iterate_zipped(*call, target);
    }
  }
  TypedExpression array = kept(expression(iterable), iterable.span);
  if (array.type.is_tuple()) {
    const auto items = static_cast<int64_t>(array.type.items.size());
    return {literal(dialect_, rt::Scalar::weak(items)),
            [this, array, &target](const TypedExpression& index) {
              assign(target, tuple_at(array, index, target.span), target.span);
            }};
  }
  if (array.type.is_list()) {
    return {list_size(array), [this, array, &target](const TypedExpression& index) {
              assign(target, list_item(array, index, target.span), target.span);
            }};
  }
  if (!array.type.is_array())
    fail_translation(iterable.span, "a compiled loop goes through ranges and arrays, not {}",
                     rt::typed::type_text(array.type));
  TypedExpression count = extent(array, 0);
  return {std::move(count), [this, array, &target](const TypedExpression& index) {
            assign(target, item_at(array, index, target.span), target.span);
          }};
}

Iteration FunctionTranslator::iterate_range(const syntax::Call& node, const syntax::Expr& target) {
  std::array<TypedExpression, 3> bounds = range_bounds(node);
  for (TypedExpression& each : bounds) each = kept(std::move(each), node.span);
  TypedExpression count =
      support_call("range_count", int_type(dialect_), {bounds[0], bounds[1], bounds[2]});
  return {std::move(count), [this, bounds, &target](const TypedExpression& index) {
            TypedExpression at =
                support_call("range_item", int_type(dialect_), {bounds[0], bounds[2], index});
            assign(target, std::move(at), target.span);
          }};
}

// The targets of `for a, b in ...`.
static syntax::ExprList targets_of(const syntax::Expr& target, size_t count) {
  const auto* tuple = syntax::try_as<syntax::Tuple>(&target);
  if (!tuple || tuple->elts.size() != count)
    fail_translation(target.span, "this loop needs {} names", count);
  return tuple->elts;
}

Iteration FunctionTranslator::iterate_enumerated(const syntax::Call& node,
                                                 const syntax::Expr& target) {
  check_count(node, 1, 2);
  const syntax::ExprList targets = targets_of(target, 2);
  Iteration inner = iterate_over(*node.args[0], *targets[1]);
  TypedExpression start = literal(dialect_, rt::Scalar::weak(int64_t{0}));
  if (node.args.size() == 2) start = kept(number(*node.args[1]), node.span);
  const syntax::Expr* counter = targets[0];
  return {std::move(inner.count),
          [this, bind = std::move(inner.bind), start, counter](const TypedExpression& index) {
            assign(*counter, binary(syntax::BinaryOperator::Add, start, index, counter->span),
                   counter->span);
            bind(index);
          }};
}

Iteration FunctionTranslator::iterate_zipped(const syntax::Call& node, const syntax::Expr& target) {
  check_count(node, 1, 16);
  const syntax::ExprList targets = targets_of(target, node.args.size());
  std::vector<Iteration> inner;
  for (size_t i = 0; i < targets.size(); ++i)
    inner.push_back(iterate_over(*node.args[i], *targets[i]));
  TypedExpression count = inner[0].count;
  for (size_t i = 1; i < inner.size(); ++i)
    count = support_call("smaller", int_type(dialect_), {std::move(count), inner[i].count});
  return {std::move(count), [inner](const TypedExpression& index) {
            for (const Iteration& each : inner) each.bind(index);
          }};
}

}  // namespace gpy
