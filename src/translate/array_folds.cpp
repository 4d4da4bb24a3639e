// Sums and kin, orders, choices and products of arrays in compiled functions.
#include "src/translate/array_call.h"
#include "src/translate/array_form.h"

namespace gpy::array_functions {

using Kind = TypedExpression::Kind;
using rt::DType;

// --- folds ---------------------------------------------------------------------------------------

// The dtype in which numbers are added.
static DType sum_dtype(DType dtype) {
  if (dtype == DType::kBool) return DType::kInt64;
  if (!rt::is_integer(dtype)) return dtype;
  return rt::kind(dtype) == rt::DTypeKind::kUnsigned ? DType::kUInt64 : DType::kInt64;
}
static DType mean_dtype(DType dtype) {
  return rt::is_float(dtype) || rt::is_complex(dtype) ? dtype : DType::kFloat64;
}

// FUNCTION_of<ARGUMENTS>(array), or FUNCTION_along<ARGUMENTS, axis>(array).
static TypedExpression fold(ArrayCall& call, std::string_view function, TypedExpression array,
                            DType dtype, const std::string& arguments) {
  const int rank = array.type.rank;
  const std::optional<int> axis = call.axis(1, rank);
  if (!axis || rank == 1) {
    return failing_call(fmt::format("{}_of<{}>", function, arguments), TypedType::number(dtype),
                        {std::move(array)});
  }
  return failing_call(fmt::format("{}_along<{}, {}>", function, arguments, *axis),
                      made_array(dtype, rank - 1), {std::move(array)});
}

TypedExpression sum(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const DType dtype = call.dtype(2, sum_dtype(array.type.dtype));
  return fold(call, "sum", std::move(array), dtype, number_symbol(dtype));
}
TypedExpression product(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const DType dtype = call.dtype(2, sum_dtype(array.type.dtype));
  return fold(call, "product", std::move(array), dtype, number_symbol(dtype));
}
TypedExpression mean(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const DType dtype = call.dtype(2, mean_dtype(array.type.dtype));
  return fold(call, "mean", std::move(array), dtype, number_symbol(dtype));
}
static TypedExpression extreme(ArrayCall& call, bool greatest) {
  TypedExpression array = call.array(0);
  const DType dtype = array.type.dtype;
  return fold(call, "extreme", std::move(array), dtype,
              fmt::format("{}, {}", number_symbol(dtype), greatest));
}
TypedExpression least(ArrayCall& call) { return extreme(call, false); }
TypedExpression greatest(ArrayCall& call) { return extreme(call, true); }

// Folds that have no axis here.
static TypedExpression whole(ArrayCall& call, std::string_view symbol, TypedType type) {
  TypedExpression array = call.array(0);
  if (call.axis(1, array.type.rank) && array.type.rank > 1)
    fail_translation(call.place,
                     "{}() has no axis in a compiled function: write a loop over the "
                     "rows",
                     call.name);
  return failing_call(std::string(symbol), std::move(type), {std::move(array)});
}
static TypedExpression place_of_extreme(ArrayCall& call, bool greatest) {
  TypedExpression array = call.array(0);
  const std::string symbol =
      fmt::format("place_of_extreme<{}, {}>", number_symbol(array.type.dtype), greatest);
  const std::optional<int> axis = call.axis(1, array.type.rank);
  if (axis && array.type.rank > 1) {
    const int rank = array.type.rank - 1;
    return failing_call(
        fmt::format("place_along<{}, {}, {}>", number_symbol(array.type.dtype), greatest, *axis),
        made_array(DType::kInt64, rank), {std::move(array)});
  }
  return failing_call(symbol, int_type(call.dialect()), {std::move(array)});
}
TypedExpression argmin(ArrayCall& call) { return place_of_extreme(call, false); }
TypedExpression argmax(ArrayCall& call) { return place_of_extreme(call, true); }
TypedExpression any(ArrayCall& call) { return whole(call, "any_of", TypedType::truth()); }
TypedExpression all(ArrayCall& call) { return whole(call, "all_of", TypedType::truth()); }
TypedExpression variance(ArrayCall& call) {
  return whole(call, "variance_of", float_type(call.dialect()));
}
TypedExpression deviation(ArrayCall& call) { return call.row(rt::Row::sqrt, {variance(call)}); }

static TypedExpression running(ArrayCall& call, bool is_product) {
  TypedExpression array = call.array(0);
  const DType dtype = sum_dtype(array.type.dtype);
  return failing_call(fmt::format("running<{}, {}>", element_symbol(dtype), is_product),
                      made_array(dtype, 1), {std::move(array)});
}
TypedExpression cumsum(ArrayCall& call) { return running(call, false); }
TypedExpression cumprod(ArrayCall& call) { return running(call, true); }

TypedExpression dot(ArrayCall& call) {
  TypedExpression left = call.operand(0);
  return call.matrix_product(std::move(left), call.operand(1));
}

// --- orders and choices --------------------------------------------------------------------------

static TypedExpression vector(ArrayCall& call) {
  TypedExpression array = call.array(0);
  if (array.type.rank == 1) return array;
  fail_translation(call.place, "{}() takes an array of one axis in a compiled function", call.name);
}
TypedExpression sorted(ArrayCall& call) {
  TypedExpression array = vector(call);
  const DType dtype = array.type.dtype;
  return failing_call(fmt::format("sorted_copy<{}>", element_symbol(dtype)), made_array(dtype, 1),
                      {std::move(array)});
}
TypedExpression sort_in_place(ArrayCall& call) {
  TypedExpression out = failing_call("sort_array", TypedType(), {vector(call)});
  out.effects = true;
  return out;
}
TypedExpression argsort(ArrayCall& call) {
  return failing_call("sorted_places", made_array(DType::kInt64, 1), {vector(call)});
}
TypedExpression fill(ArrayCall& call) {
  TypedExpression array = call.array(0);
  return assign_elements(std::move(array), call.number(1));
}

TypedExpression where(ArrayCall& call) {
  if (!call.has(1) && !call.has(2)) return call.library("nonzero", {call.array(0)});
  if (!call.has(1) || !call.has(2))
    fail_translation(call.place, "where() takes a condition, or one and two values");
  std::vector<TypedExpression> args = {call.operand(0), call.operand(1), call.operand(2)};
  const auto choose = [&](std::vector<TypedExpression> of) { return call.choice(std::move(of)); };
  return any_array(args) ? elementwise(std::move(args), choose) : choose(std::move(args));
}
TypedExpression clip(ArrayCall& call) {
  TypedExpression out = call.operand(0);
  if (call.has(1)) out = call.row(rt::Row::maximum, {std::move(out), call.operand(1)});
  if (call.has(2)) out = call.row(rt::Row::minimum, {std::move(out), call.operand(2)});
  return out;
}
TypedExpression item(ArrayCall& call) {
  TypedExpression array = call.array(0);
  TypedExpression out;
  out.kind = Kind::kElement;
  out.type = TypedType::number(array.type.dtype);
  for (int i = 0; i < array.type.rank; ++i)
    out.args.push_back(TypedExpression::constant(rt::Scalar::weak(int64_t{0})));
  out.args.insert(out.args.begin(), std::move(array));
  return out;
}

}  // namespace gpy::array_functions
