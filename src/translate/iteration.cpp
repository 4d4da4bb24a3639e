// Ranges, arrays, enumerate and zip in for loops.
#include "src/translate/iteration.h"

#include <algorithm>

#include "src/objects/function.h"
#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"
#include "src/translate/intrinsic.h"

namespace gpy {

// cupyx.jit.range.
static bool is_unrolled(const Value& callee) {
  const auto* intrinsic = callee.is_defined() ? callee.try_as<IntrinsicObject>() : nullptr;
  return intrinsic && intrinsic->name == "unrolled_range";
}

// numba.prange.
static bool is_parallel(const Value& callee) {
  const auto* native = callee.is_defined() ? callee.try_as<NativeFunction>() : nullptr;
  return native && std::string_view(native->row->name) == "prange" && native->qualifier == "_numba";
}

bool FunctionTranslator::is_range(const Value& callee) const {
  if (callee.is_undefined()) return false;
  return is_parallel(callee) || is_unrolled(callee) ||
         (callee.is<Type>() && callee.as<Type>() == vm_.types.range);
}

bool FunctionTranslator::is_parallel_range(const syntax::Call& node) {
  return is_parallel(static_value(*node.func));
}

// The rounds that range(..., unroll=) of cupyx.jit writes out: all for True; 0: it does not say.
int FunctionTranslator::unrolling(const syntax::Call& range) {
  constexpr int64_t kAll = 1024;
  const syntax::Expr* given = argument(range, 3, "unroll");
  const auto* constant = syntax::try_as<syntax::Constant>(given);
  if (!given || (constant && constant->constant_kind == syntax::ConstantKind::None)) return 0;
  const TypedExpression value = number(*given);
  if (value.kind != TypedExpression::Kind::kNumber)
    fail_translation(given->span, "unroll= is a constant: True, False or a number of rounds");
  if (value.type == TypedType::truth()) return value.number.truth() ? kAll : 1;
  if (!rt::is_integer(value.type.dtype) || value.number.as_int() < 0)
    fail_translation(given->span, "unroll value out of range");
  return static_cast<int>(std::clamp<int64_t>(value.number.as_int(), 1, kAll));
}

// `end`: becomes the type of the end as it is given.
std::array<TypedExpression, 3> FunctionTranslator::range_bounds(const syntax::Call& node,
                                                                TypedType* end) {
  const bool has_unroll = node.keywords.size() == 1 && node.keywords[0].name == "unroll" &&
                          is_unrolled(static_value(*node.func));
  if (!has_unroll || node.args.empty() || node.args.size() > 3) check_count(node, 1, 3);
  std::vector<TypedExpression> given;
  for (const syntax::Expr* each : node.args) given.push_back(expression(*each));
  if (end) *end = given[given.size() > 1 ? 1 : 0].type;
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
  if (dialect_ == Dialect::kNumba && program_.target == Target::kFunction &&
      given[2].kind != TypedExpression::Kind::kNumber)
    given[2] = failing_call("range_step", int_type(dialect_), {std::move(given[2])});
  return {std::move(given[0]), std::move(given[1]), std::move(given[2])};
}

Iteration FunctionTranslator::iterate_over(const syntax::Expr& iterable) {
  if (const auto* call = syntax::try_as<syntax::Call>(&iterable)) {
    const Value callee = static_value(*call->func);
    if (is_range(callee)) return iterate_range(*call);
    if (callee.is_defined() && callee.is<Type>()) {
      if (callee.as<Type>() == vm_.types.enumerate) return iterate_enumerated(*call);
      if (callee.as<Type>() == vm_.types.zip) return iterate_zipped(*call);
      const std::string name = numpy_name(callee);
      if (name == "ndindex") return iterate_places(*call);
      if (name == "ndenumerate") return iterate_elements(*call);
    }
  }
  TypedExpression array = kept(expression(iterable), iterable.span);
  const syntax::Span place = iterable.span;
  if (array.type.is_map()) {
    if (array.type.items.empty()) throw UnknownItem{place};
    const TypedType keys = TypedType::list(array.type.items[0]);
    array = kept(failing_call("map_keys", keys, {std::move(array)}), place);
  }
  if (array.type.is_tuple()) {
    const auto items = static_cast<int64_t>(array.type.items.size());
    return {literal(dialect_, rt::Scalar::weak(items)),
            [=, this](const TypedExpression& index) { return tuple_at(array, index, place); }};
  }
  if (array.type.is_list()) {
    return {list_size(array),
            [=, this](const TypedExpression& index) { return list_item(array, index, place); }};
  }
  if (!array.type.is_array())
    fail_translation(iterable.span, "a compiled loop goes through ranges and arrays, not {}",
                     rt::typed::type_text(array.type));
  TypedExpression count = extent(array, 0);
  return {std::move(count),
          [=, this](const TypedExpression& index) { return item_at(array, index, place); }};
}

Iteration FunctionTranslator::iterate_range(const syntax::Call& node) {
  std::array<TypedExpression, 3> bounds = range_bounds(node);
  for (TypedExpression& each : bounds) each = kept(std::move(each), node.span);
  TypedExpression count =
      support_call("range_count", int_type(dialect_), {bounds[0], bounds[1], bounds[2]});
  return {std::move(count), [bounds, this](const TypedExpression& index) {
            return support_call("range_item", int_type(dialect_), {bounds[0], bounds[2], index});
          }};
}

// The indices of the place that is number `index` in C order.
TypedExpression FunctionTranslator::indices_of(const std::vector<TypedExpression>& extents,
                                               TypedExpression index, syntax::Span place) {
  std::vector<TypedExpression> out(extents.size());
  for (size_t axis = extents.size(); axis-- > 0;) {
    const TypedExpression rest = index;
    const auto part = [&](const char* symbol) {
      return support_call(symbol, int_type(dialect_), {rest, extents[axis]});
    };
    out[axis] = axis == 0 ? rest : part("remainder_of");
    if (axis > 0) index = kept(part("quotient_of"), place);
  }
  return tuple_of(std::move(out));
}

TypedExpression FunctionTranslator::count_of(const std::vector<TypedExpression>& extents,
                                             syntax::Span place) {
  TypedExpression count = literal(dialect_, rt::Scalar::weak(int64_t{1}));
  for (const TypedExpression& each : extents)
    count = binary(syntax::BinaryOperator::Mult, std::move(count), each, place);
  return count;
}

// np.ndindex(shape), np.ndindex(rows, columns, ...)
Iteration FunctionTranslator::iterate_places(const syntax::Call& node) {
  check_count(node, 1, 16);
  std::vector<TypedExpression> extents;
  for (const syntax::Expr* each : node.args) {
    for (TypedExpression& extent : split_index(expression(*each), each->span))
      extents.push_back(kept(cast_to(std::move(extent), int_type(dialect_)), each->span));
  }
  TypedExpression count = count_of(extents, node.span);
  return {std::move(count), [extents, place = node.span, this](const TypedExpression& index) {
            return indices_of(extents, index, place);
          }};
}

// np.ndenumerate(array)
Iteration FunctionTranslator::iterate_elements(const syntax::Call& node) {
  check_count(node, 1, 1);
  const TypedExpression array = kept(expression(*node.args[0]), node.span);
  if (!array.type.is_array())
    fail_translation(node.span, "ndenumerate() takes an array, not {}",
                     rt::typed::type_text(array.type));
  std::vector<TypedExpression> extents;
  for (int axis = 0; axis < array.type.rank; ++axis) extents.push_back(extent(array, axis));
  TypedExpression count = count_of(extents, node.span);
  return {std::move(count),
          [extents, array, place = node.span, this](const TypedExpression& index) {
            const TypedExpression at = kept(indices_of(extents, index, place), place);
            std::vector<TypedExpression> indices;
            for (size_t i = 0; i < extents.size(); ++i) indices.push_back(item_of(at, i));
            return tuple_of({at, element_at(array, std::move(indices), place)});
          }};
}

Iteration FunctionTranslator::iterate_enumerated(const syntax::Call& node) {
  check_count(node, 1, 2);
  Iteration inner = iterate_over(*node.args[0]);
  TypedExpression start = literal(dialect_, rt::Scalar::weak(int64_t{0}));
  if (node.args.size() == 2) start = kept(number(*node.args[1]), node.span);
  return {
      std::move(inner.count),
      [item = std::move(inner.item), start, place = node.span, this](const TypedExpression& index) {
        return tuple_of({binary(syntax::BinaryOperator::Add, start, index, place), item(index)});
      }};
}

Iteration FunctionTranslator::iterate_zipped(const syntax::Call& node) {
  check_count(node, 1, 16);
  std::vector<Iteration> inner;
  for (const syntax::Expr* each : node.args) inner.push_back(iterate_over(*each));
  TypedExpression count = inner[0].count;
  for (size_t i = 1; i < inner.size(); ++i)
    count = support_call("smaller", int_type(dialect_), {std::move(count), inner[i].count});
  return {std::move(count), [inner, this](const TypedExpression& index) {
            std::vector<TypedExpression> items;
            for (const Iteration& each : inner) items.push_back(each.item(index));
            return tuple_of(std::move(items));
          }};
}

}  // namespace gpy
