// Arrays that a compiled function makes, copies and sees under other shapes.
#include <algorithm>

#include "src/translate/array_call.h"
#include "src/translate/array_form.h"

namespace gpy::array_functions {

using Kind = TypedExpression::Kind;
using rt::DType;

// --- arrays made ---------------------------------------------------------------------------------

static TypedExpression made(DType dtype, std::vector<TypedExpression> args,
                            const std::string& function) {
  const int rank = static_cast<int>(args.size()) - 1;
  return failing_call(fmt::format("{}<{}, {}>", function, element_symbol(dtype), rank),
                      made_array(dtype, rank), std::move(args));
}

static TypedExpression one(DType dtype, int64_t value) {
  return cast_to(TypedExpression::constant(rt::Scalar::weak(value)), TypedType::number(dtype));
}
static TypedExpression truth_constant(bool value) {
  return TypedExpression::constant(rt::Scalar(value));
}

static TypedExpression with_extents(ArrayCall& call, DType dtype, TypedExpression first,
                                    const std::string& function) {
  std::vector<TypedExpression> args = call.extents(*call.given[0]);
  args.insert(args.begin(), std::move(first));
  return made(dtype, std::move(args), function);
}

TypedExpression zeros(ArrayCall& call) {
  return with_extents(call, call.dtype(1, DType::kFloat64), truth_constant(true), "make_array");
}
TypedExpression empty(ArrayCall& call) {
  return with_extents(call, call.dtype(1, DType::kFloat64), truth_constant(false), "make_array");
}
TypedExpression ones(ArrayCall& call) {
  const DType dtype = call.dtype(1, DType::kFloat64);
  return with_extents(call, dtype, one(dtype, 1), "make_filled");
}
TypedExpression full(ArrayCall& call) {
  TypedExpression value = call.number(1);
  const DType dtype = call.dtype(2, value.type.dtype);
  return with_extents(call, dtype, cast_to(std::move(value), TypedType::number(dtype)),
                      "make_filled");
}

static TypedExpression like(DType dtype, TypedExpression array, TypedExpression first,
                            const char* function) {
  const int rank = array.type.rank;
  return failing_call(fmt::format("{}<{}, {}>", function, element_symbol(dtype), rank),
                      made_array(dtype, rank), {std::move(first), std::move(array)});
}
TypedExpression zeros_like(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const DType dtype = call.dtype(1, array.type.dtype);
  return like(dtype, std::move(array), truth_constant(true), "made_like");
}
TypedExpression empty_like(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const DType dtype = call.dtype(1, array.type.dtype);
  return like(dtype, std::move(array), truth_constant(false), "made_like");
}
TypedExpression ones_like(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const DType dtype = call.dtype(1, array.type.dtype);
  return like(dtype, std::move(array), one(dtype, 1), "filled_like");
}
TypedExpression full_like(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const DType dtype = call.dtype(2, array.type.dtype);
  TypedExpression value = cast_to(call.number(1), TypedType::number(dtype));
  return like(dtype, std::move(array), std::move(value), "filled_like");
}

TypedExpression arange(ArrayCall& call) {
  std::vector<TypedExpression> bounds;
  for (size_t i = 0; i < 3 && call.has(i); ++i) bounds.push_back(call.number(i));
  DType dtype = DType::kInt64;
  for (const TypedExpression& each : bounds) dtype = rt::promote(dtype, each.type.dtype);
  dtype = call.dtype(3, dtype);
  const auto constant = [](int64_t n) { return TypedExpression::constant(rt::Scalar::weak(n)); };
  if (bounds.size() == 1) bounds.insert(bounds.begin(), constant(0));
  if (bounds.size() == 2) bounds.push_back(constant(1));
  for (TypedExpression& each : bounds) each = cast_to(std::move(each), TypedType::number(dtype));
  return failing_call(fmt::format("arange<{}>", number_symbol(dtype)), made_array(dtype, 1),
                      std::move(bounds));
}

TypedExpression linspace(ArrayCall& call) {
  const TypedType real = TypedType::number(DType::kFloat64);
  TypedExpression first = call.number(0), end = call.number(1);
  if (rt::is_complex(first.type.dtype) || rt::is_complex(end.type.dtype))
    fail_translation(call.place, "linspace() takes real numbers in a compiled body");
  first = cast_to(std::move(first), real);
  end = cast_to(std::move(end), real);
  TypedExpression has_end = call.has(3) ? truth_of(call.number(3)) : truth_constant(true);
  return failing_call("linspace", made_array(DType::kFloat64, 1),
                      {std::move(first), std::move(end), call.index(2, 50), std::move(has_end)});
}

TypedExpression eye(ArrayCall& call) {
  TypedExpression rows = call.index(0, 0);
  TypedExpression columns = call.has(1) ? call.index(1, 0) : rows;
  const DType dtype = call.dtype(3, DType::kFloat64);
  return failing_call(fmt::format("eye<{}>", element_symbol(dtype)), made_array(dtype, 2),
                      {std::move(rows), std::move(columns), call.index(2, 0)});
}
TypedExpression identity(ArrayCall& call) {
  TypedExpression rows = call.index(0, 0);
  const DType dtype = call.dtype(1, DType::kFloat64);
  return failing_call(fmt::format("eye<{}>", element_symbol(dtype)), made_array(dtype, 2),
                      {rows, rows, TypedExpression::constant(rt::Scalar::weak(int64_t{0}))});
}

static TypedExpression copied(TypedExpression array, DType dtype) {
  if (is_elementwise(array) && array.type.dtype == dtype) return array;
  if (is_elementwise(array)) {
    return elementwise({std::move(array)}, [&](auto places) {
      return cast_to(std::move(places[0]), TypedType::number(dtype));
    });
  }
  const int rank = array.type.rank;
  return failing_call(fmt::format("copied<{}>", element_symbol(dtype)), made_array(dtype, rank),
                      {std::move(array)});
}
TypedExpression copy(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const DType dtype = array.type.dtype;
  return copied(std::move(array), dtype);
}
TypedExpression astype(ArrayCall& call) {
  const DType dtype = call.dtype(1, DType::kFloat64);
  return copied(call.array(0), dtype);
}

// The items of lists and tuples that are written out, by rows.
static void add_items(const syntax::Expr& node, size_t depth, std::vector<int64_t>& extents,
                      std::vector<const syntax::Expr*>& out) {
  syntax::ExprList items;
  if (const auto* list = syntax::try_as<syntax::List>(&node)) items = list->elts;
  else if (const auto* tuple = syntax::try_as<syntax::Tuple>(&node)) items = tuple->elts;
  else {
    if (depth != extents.size()) fail_translation(node.span, "the rows have different lengths");
    return out.push_back(&node);
  }
  const auto count = static_cast<int64_t>(items.size());
  if (out.empty() && depth == extents.size()) extents.push_back(count);
  if (depth >= extents.size() || extents[depth] != count)
    fail_translation(node.span, "the rows have different lengths");
  for (const syntax::Expr* each : items) add_items(*each, depth + 1, extents, out);
}

static TypedExpression array_of_numbers(ArrayCall& call, std::vector<TypedExpression> items,
                                        const std::vector<int64_t>& extents) {
  std::optional<DType> dtype;
  for (const TypedExpression& each : items)
    dtype = dtype ? rt::promote(*dtype, each.type.dtype) : each.type.dtype;
  const DType chosen = call.dtype(1, dtype.value_or(DType::kFloat64));
  for (TypedExpression& each : items) each = cast_to(std::move(each), TypedType::number(chosen));
  std::string symbol = fmt::format("array_of<{}", element_symbol(chosen));
  for (const int64_t each : extents) symbol += fmt::format(", {}", each);
  return failing_call(symbol + ">", made_array(chosen, static_cast<int>(extents.size())),
                      std::move(items));
}

static TypedExpression array_of_tuple(ArrayCall& call, TypedExpression tuple) {
  std::vector<TypedExpression> items = call.split(std::move(tuple));
  for (const TypedExpression& each : items) {
    if (!each.type.is_number())
      fail_translation(call.place, "{}() takes a tuple of numbers here", call.name);
  }
  const auto count = static_cast<int64_t>(items.size());
  return array_of_numbers(call, std::move(items), {count});
}

static TypedExpression array_of_list(ArrayCall& call, TypedExpression list) {
  const TypedType* item = &list.type;
  int rank = 0;
  for (; item->is_list(); item = &item->items[0], ++rank) {
    if (item->items.empty()) call.wait_for_items();
  }
  if (!item->is_number())
    fail_translation(call.place, "{}() takes a list of numbers, or of such lists, here", call.name);
  const DType dtype = call.dtype(1, item->dtype);
  return failing_call(fmt::format("array_of_list<{}>", element_symbol(dtype)),
                      made_array(dtype, rank), {std::move(list)});
}

static TypedExpression written_array(ArrayCall& call) {
  std::vector<int64_t> extents;
  std::vector<const syntax::Expr*> nodes;
  add_items(*call.given[0], 0, extents, nodes);
  std::vector<TypedExpression> items;
  for (const syntax::Expr* each : nodes) items.push_back(call.value_of(*each));
  const auto is_number = [](const TypedExpression& each) { return each.type.is_number(); };
  if (std::ranges::all_of(items, is_number))
    return array_of_numbers(call, std::move(items), extents);
  const bool are_lists =
      std::ranges::all_of(items, [](const TypedExpression& each) { return each.type.is_list(); });
  if (are_lists && extents.size() == 1) return array_of_list(call, call.list_of(std::move(items)));
  const auto odd = std::ranges::find_if_not(items, is_number);
  fail_translation(nodes[static_cast<size_t>(odd - items.begin())]->span,
                   "this is {}, and a number is needed", rt::typed::type_text(odd->type));
}

TypedExpression array(ArrayCall& call) {
  const syntax::ExprKind kind = call.given[0]->kind;
  if (kind == syntax::ExprKind::List || kind == syntax::ExprKind::Tuple) return written_array(call);
  TypedExpression value = call.operand(0);
  if (value.type.is_list()) return array_of_list(call, std::move(value));
  if (value.type.is_tuple()) return array_of_tuple(call, std::move(value));
  if (!value.type.is_array())
    fail_translation(call.place, "{}() takes numbers in a list or a tuple, or an array", call.name);
  const DType dtype = call.dtype(1, value.type.dtype);
  if (call.name != "array" && dtype == value.type.dtype &&
      (value.type.dense || call.name == "asarray"))
    return value;
  return copied(std::move(value), dtype);
}

// --- views ---------------------------------------------------------------------------------------

static TypedExpression reshaped(TypedExpression array, std::vector<TypedExpression> extents) {
  const int rank = static_cast<int>(extents.size());
  // A view where the array is dense, else an array of its own.
  TypedType type =
      array.type.dense ? seen_array(array.type, rank, true) : made_array(array.type.dtype, rank);
  extents.insert(extents.begin(), std::move(array));
  return failing_call(fmt::format("reshaped<{}>", rank), type, std::move(extents));
}
TypedExpression viewed(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const DType dtype = call.dtype(1, array.type.dtype);
  TypedType type = seen_array(array.type, array.type.rank, array.type.dense);
  type.dtype = dtype;
  return call.view_call(fmt::format("viewed<{}>", element_symbol(dtype)), type, {std::move(array)});
}
TypedExpression reshape(ArrayCall& call) {
  TypedExpression array = call.array(0);
  std::vector<TypedExpression> extents = call.extents(*call.given[1]);
  for (const syntax::Expr* each : call.rest) extents.push_back(call.extents(*each)[0]);
  return reshaped(std::move(array), std::move(extents));
}
TypedExpression ravel(ArrayCall& call) {
  return reshaped(call.array(0), {TypedExpression::constant(rt::Scalar::weak(int64_t{-1}))});
}
TypedExpression flatten(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const DType dtype = array.type.dtype;
  return reshaped(copied(std::move(array), dtype),
                  {TypedExpression::constant(rt::Scalar::weak(int64_t{-1}))});
}
TypedExpression transpose(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const TypedType type = seen_array(array.type, array.type.rank, false);
  if (!call.has(1)) return support_call("transposed", type, {std::move(array)});
  std::vector<TypedExpression> args = call.split(call.value_of(*call.given[1]));
  for (const syntax::Expr* each : call.rest) args.push_back(call.value_of(*each));
  for (TypedExpression& each : args) {
    if (!each.type.is_number() || !rt::is_integer(each.type.dtype))
      fail_translation(call.place, "the axes of {}() are ints or a tuple of them, not {}",
                       call.name, rt::typed::type_text(each.type));
    each = cast_to(std::move(each), int_type(call.dialect()));
  }
  if (static_cast<int>(args.size()) != array.type.rank)
    fail_translation(call.place, "{}() is given {} axes, and the array has {}", call.name,
                     args.size(), array.type.rank);
  args.insert(args.begin(), std::move(array));
  return failing_call("turned", type, std::move(args));
}

}  // namespace gpy::array_functions
