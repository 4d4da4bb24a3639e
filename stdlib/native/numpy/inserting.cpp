// Insertion of elements into arrays.
#include <vector>

#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/index_plan.h"
#include "runtime/ops/selection.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/sorting.h"
#include "src/array/indexing.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// The places of new elements along one axis, and their values.
struct Insertion {
  rt::Array array;
  int axis;
  rt::Array places;  // 0-d for one int
  Value given;       // the argument that the places were made of
  Value values;
};

rt::Array places_of_slice(Interpreter& vm, const Value& slice, int64_t extent, rt::Space space) {
  const rt::IndexItem item = index_items(vm, slice, space)[0];
  const rt::SliceRange range = rt::slice_range(std::get<rt::SliceIndex>(item), extent);
  const rt::Array steps = rt::iota(session(vm), {range.count}, space);
  const rt::Array scaled = ops::multiply(vm, steps, rt::Scalar::weak(range.step));
  return ops::add(vm, scaled, rt::Scalar::weak(range.start));
}

// Converts an int, a list of ints or of bools, or a slice.
rt::Array to_places(Interpreter& vm, const Value& value, int64_t extent, const Namespace& names) {
  rt::Session& state = session(vm);
  if (value.is<Slice>()) return places_of_slice(vm, value, extent, names.space(state));
  if (vm.has_index(value) && !as_ndarray(value) && !as_generic(value) && !value.is_boolean()) {
    const rt::Scalar place = rt::Scalar::weak(vm.to_index(value));
    return rt::full(state, {}, place, rt::DType::kInt64, names.space(state));
  }
  rt::Array places = to_array(vm, value, names);
  if (places.dtype() == rt::DType::kBool) {
    if (places.rank() != 1) {
      vm.raise_value_error("boolean array argument obj to insert must be one dimensional");
    }
    return rt::nonzero(state, places)[0];
  }
  if (places.rank() > 1) {
    vm.raise_value_error("index array argument obj to insert must be one dimensional or scalar");
  }
  const bool nothing = places.size() == 0 && !as_ndarray(value);
  if (!rt::is_integer(places.dtype()) && !nothing) {
    vm.raise_index_error("arrays used as indices must be of integer (or boolean) type");
  }
  // Beyond int64 they stay beyond all extents, instead of becoming negative.
  if (places.dtype() == rt::DType::kUInt64) {
    places = ops::minimum(vm, places, rt::Scalar::weak(INT64_MAX));
  }
  return rt::astype(state, places, rt::DType::kInt64, rt::Casting::kUnsafe, false);
}

// The result with room for `count` more, its elements not set yet.
rt::Array widened(Interpreter& vm, const Insertion& to, int64_t count) {
  rt::Dims shape = to.array.shape();
  shape[to.axis] = rt::checked_sum(shape[to.axis], count);
  const rt::Layout& layout = to.array.layout();
  const bool by_columns = rt::is_f_contiguous(layout) && !rt::is_c_contiguous(layout);
  return rt::empty(session(vm), shape, to.array.dtype(), to.array.space(), by_columns ? 'F' : 'C');
}

// Indexes with `item` along an axis, and with all of the axes before it.
std::vector<rt::IndexItem> along(int axis, rt::IndexItem item) {
  std::vector<rt::IndexItem> items(static_cast<size_t>(axis), rt::SliceIndex{});
  items.push_back(std::move(item));
  return items;
}

rt::Operand elements(Interpreter& vm, const Insertion& to) {
  return stored_operand(vm, to.values, to.array.dtype(), to.array.space());
}

// The values with at least as many axes as the array: an extent tells how many go before one place.
rt::Array layers_of(Interpreter& vm, const Insertion& to) {
  rt::Array values = as_array(vm, elements(vm, to), to.array.space());
  const int64_t first[] = {0};
  while (values.rank() < to.array.rank()) values = rt::expand_dims(values, first);
  if (to.places.rank() > 0) return values;
  return rt::move_axes(values, std::vector<int64_t>{0}, std::vector<int64_t>{to.axis});
}

// Inserts several elements before one place.
rt::Array inserted_at_one(Interpreter& vm, const Insertion& to) {
  rt::Session& state = session(vm);
  const int64_t extent = to.array.shape()[to.axis];
  int64_t at = rt::item(state, rt::ravel(state, to.places)).as_int();
  if (at < -extent || at > extent) {
    vm.raise_index_error("index {} is out of bounds for axis {} with size {}", vm.to_str(to.given),
                         to.axis, extent);
  }
  if (at < 0) at += extent;
  const rt::Array values = layers_of(vm, to);
  const int64_t end = at + values.shape()[to.axis], border[] = {at};
  const rt::Array result = widened(vm, to, values.shape()[to.axis]);
  const std::vector<rt::Array> halves = rt::split(to.array, border, to.axis);
  rt::set_items(state, result, along(to.axis, rt::SliceIndex{{}, at, {}}), halves[0]);
  rt::set_items(state, result, along(to.axis, rt::SliceIndex{at, end, {}}), values);
  rt::set_items(state, result, along(to.axis, rt::SliceIndex{end, {}, {}}), halves[1]);
  return result;
}

// Inserts one element before each place. Those before the same place keep their order.
rt::Array inserted_at_many(Interpreter& vm, const Insertion& to) {
  rt::Session& state = session(vm);
  const rt::Scalar zero = rt::Scalar::weak(int64_t{0});
  const rt::Scalar extent = rt::Scalar::weak(to.array.shape()[to.axis]);
  const rt::Array from_end = ops::less(vm, to.places, zero);
  const rt::Array places = ops::where(vm, from_end, ops::add(vm, to.places, extent), to.places);
  const rt::Array ranks = rt::argsort(state, rt::argsort(state, places, 0), 0);
  const rt::Array at = ops::add(vm, places, ranks);
  const rt::Array result = widened(vm, to, places.size());
  const rt::Array old = rt::full(state, {result.shape()[to.axis]}, rt::Scalar(true),
                                 rt::DType::kBool, result.space());
  rt::set_items(state, old, along(0, at), rt::Scalar(false));
  rt::set_items(state, result, along(to.axis, at), elements(vm, to));
  rt::set_items(state, result, along(to.axis, old), to.array);
  return result;
}

Value insert(Interpreter& vm, const Namespace& names, rt::Array array, const Value& before,
             const Value& values, const Value& axis_given) {
  const auto along = to_axis(vm, axis_given);
  if (!along) array = rt::ravel(session(vm), array);
  const int axis = rt::normalize_axis(along.value_or(0), array.rank());
  rt::Array places = to_places(vm, before, array.shape()[axis], names);
  places = rt::to_space(session(vm), places, array.space());
  const Insertion to{array, axis, places, before, values};
  return wrap_array(vm, places.size() == 1 ? inserted_at_one(vm, to) : inserted_at_many(vm, to));
}

const Native kFunctions[] = {
    {"insert", "(arr, obj, values, axis=None)", typed<insert>,
     "A copy with values before one index, or one before each of several."},
};

}  // namespace

Family insertion_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
