// Arrays joined along an axis, or seen with other axes, in compiled functions.
#include <algorithm>

#include "src/translate/array_call.h"
#include "src/translate/array_form.h"
#include "src/translate/slicing.h"

namespace gpy::array_functions {

using Kind = TypedExpression::Kind;
using rt::DType;

// The arrays of a tuple.
static std::vector<TypedExpression> joined_arrays(ArrayCall& call) {
  std::vector<TypedExpression> out = call.items(0);
  for (const TypedExpression& each : out) {
    if (!each.type.is_array())
      fail_translation(call.place, "{}() takes a tuple of arrays, and one of its items is {}",
                       call.name, rt::typed::type_text(each.type));
  }
  if (out.empty()) fail_translation(call.place, "{}() needs an array", call.name);
  return out;
}

static TypedExpression join(ArrayCall& call, std::string_view function, TypedExpression axis,
                            std::vector<TypedExpression> arrays, int more_axes) {
  const int rank = arrays[0].type.rank;
  DType dtype = arrays[0].type.dtype;
  for (const TypedExpression& each : arrays) {
    dtype = rt::promote(dtype, each.type.dtype);
    if (each.type.rank == 0)
      fail_translation(call.place, "{}() takes arrays with an axis", call.name);
    if (each.type.rank != rank)
      fail_translation(call.place, "{}() takes arrays of equally many axes, not {} and {}",
                       call.name, rt::typed::type_text(arrays[0].type),
                       rt::typed::type_text(each.type));
  }
  arrays.insert(arrays.begin(), std::move(axis));
  return failing_call(fmt::format("{}<{}>", function, element_symbol(dtype)),
                      made_array(dtype, rank + more_axes), std::move(arrays));
}
static TypedExpression axis_constant(int64_t axis) {
  return TypedExpression::constant(rt::Scalar::weak(axis));
}

TypedExpression concatenate(ArrayCall& call) {
  std::vector<TypedExpression> arrays = joined_arrays(call);
  return join(call, "concatenated", call.index(1, 0), std::move(arrays), 0);
}
TypedExpression stack(ArrayCall& call) {
  std::vector<TypedExpression> arrays = joined_arrays(call);
  return join(call, "stacked", call.index(1, 0), std::move(arrays), 1);
}

// The array by the parts of an index, kWhole and kNew.
static TypedExpression seen(ArrayCall& call, TypedExpression array, const std::vector<int>& kinds) {
  const TypedType type = seen_array(array.type, static_cast<int>(kinds.size()), false);
  std::string symbol = fmt::format("subscript<{}", kinds.size());
  for (const int each : kinds) symbol += fmt::format(", {}", each);
  return call.view_call(symbol + ">", type, {std::move(array)});
}
// Concatenated along `axis`, those of fewer axes seen as `vectors` and `matrices` say.
static TypedExpression raised_join(ArrayCall& call, int64_t axis, const std::vector<int>& vectors,
                                   const std::vector<int>& matrices) {
  std::vector<TypedExpression> arrays = joined_arrays(call);
  for (TypedExpression& each : arrays) {
    if (each.type.rank == 1) each = seen(call, std::move(each), vectors);
    else if (each.type.rank == 2 && !matrices.empty()) each = seen(call, std::move(each), matrices);
  }
  return join(call, "concatenated", axis_constant(axis), std::move(arrays), 0);
}
TypedExpression vstack(ArrayCall& call) { return raised_join(call, 0, {kNew, kWhole}, {}); }
TypedExpression column_stack(ArrayCall& call) { return raised_join(call, 1, {kWhole, kNew}, {}); }
TypedExpression dstack(ArrayCall& call) {
  return raised_join(call, 2, {kNew, kWhole, kNew}, {kWhole, kWhole, kNew});
}
TypedExpression hstack(ArrayCall& call) {
  std::vector<TypedExpression> arrays = joined_arrays(call);
  const int64_t axis = arrays[0].type.rank == 1 ? 0 : 1;
  return join(call, "concatenated", axis_constant(axis), std::move(arrays), 0);
}

TypedExpression swapaxes(ArrayCall& call) {
  TypedExpression array = call.array(0);
  const TypedType type = seen_array(array.type, array.type.rank, false);
  return call.view_call("swapped", type, {std::move(array), call.index(1, 0), call.index(2, 0)});
}
TypedExpression broadcast_to(ArrayCall& call) {
  TypedExpression array = call.array(0);
  std::vector<TypedExpression> args = call.extents(*call.given[1]);
  const int rank = static_cast<int>(args.size());
  if (rank < array.type.rank)
    fail_translation(call.place,
                     "input operand has more dimensions than allowed by the axis "
                     "remapping");
  TypedType type = seen_array(array.type, rank, false);
  type.constant = true;
  args.insert(args.begin(), std::move(array));
  return call.view_call(fmt::format("broadcast<{}>", rank), type, std::move(args));
}

// --- what arrays and numbers are -----------------------------------------------------------------

TypedExpression shape_of(ArrayCall& call) {
  TypedExpression of = call.operand(0);
  return of.type.is_array() ? call.shape(std::move(of)) : call.tuple_of({});
}
TypedExpression size_of(ArrayCall& call) {
  TypedExpression of = call.operand(0);
  if (!of.type.is_array()) return call.whole(1);
  return support_call("element_count", int_type(call.dialect()), {std::move(of)});
}
TypedExpression ndim_of(ArrayCall& call) {
  const TypedType type = call.operand(0).type;
  return call.whole(type.is_list() || type.is_tuple() ? 1 : type.rank);
}

}  // namespace gpy::array_functions
