// Elements picked by index or by condition.
#include "runtime/ops/index.h"

#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/selection.h"
#include "runtime/ops/shape.h"
#include "src/array/indexing.h"
#include "src/array/sequence_objects.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/int64_argument.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// An index array in the place of the array that it indexes.
rt::Array index_argument(Interpreter& vm, const Value& value, const rt::Array& array) {
  std::vector<rt::IndexItem> items = index_items(vm, vm.tuple({value}), array.space());
  if (auto* number = std::get_if<int64_t>(&items[0])) {
    return rt::full(session(vm), {}, rt::Scalar::weak(*number), rt::DType::kInt64, array.space());
  }
  if (auto* found = std::get_if<rt::Array>(&items[0])) return *found;
  vm.raise_type_error("indices must be integers");
}

// The treatment of indices outside of an axis, in the order of NumPy's numbers for it.
enum class ClipMode { kClip, kWrap, kRaise };

ClipMode clip_mode_of_name(Interpreter& vm, std::string_view name) {
  if (name == "clip") return ClipMode::kClip;
  if (name == "wrap") return ClipMode::kWrap;
  if (name == "raise") return ClipMode::kRaise;
  vm.raise_value_error("clipmode must be one of 'clip', 'raise', or 'wrap' (got '{}')", name);
}

// Reads a name, NumPy's number for it, or None.
ClipMode to_clip_mode(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return ClipMode::kRaise;
  if (!vm.has_index(value)) return clip_mode_of_name(vm, vm.to_text(value, "mode"));
  const int64_t number = vm.to_index(value);
  if (number < 0 || number > static_cast<int64_t>(ClipMode::kRaise)) {
    vm.raise_value_error("integer clipmode must be 0 (clip), 1 (wrap) or 2 (raise), not {}",
                         number);
  }
  return static_cast<ClipMode>(number);
}

rt::Array wrapped(Interpreter& vm, const rt::Array& indices, int64_t extent, ClipMode mode) {
  if (mode == ClipMode::kRaise) return indices;
  if (mode == ClipMode::kWrap) {
    return ops::remainder(vm, indices, rt::Scalar::weak(extent));
  }
  return ops::clip(vm, indices, rt::Scalar::weak(int64_t{0}), rt::Scalar::weak(extent - 1));
}

// NumPy casts `out` to the array's dtype and copies that back, so `out` must cast safely.
Value finish_backwards(Interpreter& vm, rt::Array result, const Value& out) {
  const Ndarray* target = to_out(vm, out);
  if (target && !rt::can_cast(target->array.dtype(), result.dtype(), rt::Casting::kSafe)) {
    vm.raise_type_error(
        "Cannot cast array data from dtype('{}') to dtype('{}') according to the rule 'safe'",
        rt::name(target->array.dtype()), rt::name(result.dtype()));
  }
  return finish_unsafe(vm, std::move(result), out);
}

Value take(Interpreter& vm, const rt::Array& whole, const Value& indices, Axis axis,
           const Value& out, const Value& mode) {
  // A number counts as one element here.
  const rt::Array array = whole.rank() == 0 ? rt::ravel(session(vm), whole) : whole;
  const int64_t extent =
      axis ? array.shape()[rt::normalize_axis(*axis, array.rank())] : array.size();
  const rt::Array given = int64_argument(vm, indices, array.space(), rt::Casting::kSameKind);
  if (extent == 0 && given.size() > 0) {
    vm.raise_index_error("cannot do a non-empty take from an empty axes.");
  }
  const rt::Array at = wrapped(vm, given, extent, to_clip_mode(vm, mode));
  return finish_backwards(vm, rt::take(session(vm), array, at, axis), out);
}

bool is_host_array(Interpreter& vm, const Value& value) {
  return value.is_object() && value.as_object()->type == arrays(vm).numpy_array;
}

// x.take(at) of one axis is x[at].
Value take_quickly(Interpreter& vm, std::span<const Value> arguments) {
  if (arguments.size() != 2) return {};
  const Value &self = arguments[0], &indices = arguments[1];
  if (!is_host_array(vm, self) || !is_host_array(vm, indices)) return {};
  const rt::Array &array = as_ndarray(self)->array, &at = as_ndarray(indices)->array;
  const bool is_plain = array.rank() == 1 && array.size() > 0 && at.rank() > 0;
  return is_plain && at.dtype() == rt::DType::kInt64 ? array_getitem(vm, self, indices) : Value();
}

// Picks one element along an axis for each index: the other axes keep their places.
std::vector<rt::IndexItem> along_items(Interpreter& vm, const rt::Array& array,
                                       const rt::Array& indices, int axis) {
  if (indices.rank() != array.rank()) {
    vm.raise_value_error("`indices` and `arr` must have the same number of dimensions");
  }
  std::vector<rt::IndexItem> items;
  for (int i = 0; i < array.rank(); ++i) {
    if (i == axis) {
      items.emplace_back(indices);
      continue;
    }
    rt::Dims shape(array.rank(), 1);
    shape[i] = array.shape()[i];
    items.emplace_back(
        rt::reshape(session(vm), rt::iota(session(vm), {array.shape()[i]}, array.space()), shape));
  }
  return items;
}

// The indices of take_along_axis and put_along_axis.
rt::Array along_indices(Interpreter& vm, const Value& value, const rt::Array& array) {
  const Ndarray* given = as_ndarray(value);
  if (given && !rt::is_integer(given->array.dtype())) {
    vm.raise_index_error("`indices` must be an integer array");
  }
  return index_argument(vm, value, array);
}

void need_row(Interpreter& vm, const rt::Array& indices) {
  if (indices.rank() == 1) return;
  vm.raise_value_error("when axis=None, `indices` must have a single dimension.");
}

Value take_along_axis(Interpreter& vm, rt::Array array, const Value& indices, const Value& axis) {
  const rt::Array at = along_indices(vm, indices, array);
  auto wanted = axis.is_undefined() ? std::optional<int64_t>(-1) : to_axis(vm, axis);
  if (!wanted) {
    need_row(vm, at);
    array = rt::ravel(session(vm), array);
    wanted = 0;
  }
  const int along = rt::normalize_axis(*wanted, array.rank());
  return wrap_array(vm, rt::get_items(session(vm), array, along_items(vm, array, at, along)));
}

Value put_along_axis(Interpreter& vm, const Value& target, const Value& indices,
                     const Value& values, const Value& axis) {
  const Ndarray* self = as_ndarray(target);
  if (!self) {
    if (target.is_object()) leave_to(vm, target);
    vm.raise_type_error("put_along_axis: argument 1 must be an ndarray");
  }
  const rt::Array& array = self->array;
  const rt::Array at = along_indices(vm, indices, array);
  if (!is_given(axis)) {
    need_row(vm, at);
    vm.set_item(vm.get_attribute(target, "flat"), indices, values);
    return Value::none();
  }
  const int along = rt::normalize_axis(vm.to_index(axis), array.rank());
  rt::set_items(session(vm), array, along_items(vm, array, at, along),
                stored_operand(vm, values, array.dtype(), array.space()));
  return Value::none();
}

Value put(Interpreter& vm, const Namespace& names, const Value& target, const Value& indices,
          const Value& values, const Value& mode) {
  if (!as_ndarray(target) && !as_generic(target)) {
    if (target.is_object()) leave_to(vm, target);
    vm.raise_type_error("argument 1 must be numpy.ndarray, not {}", vm.type_name(target));
  }
  const Value flat = vm.get_attribute(target, "flat");
  const ClipMode clip_mode = to_clip_mode(vm, mode);
  const rt::Array array = to_array(vm, target, names);
  const rt::Array given = int64_argument(vm, indices, array.space(), rt::Casting::kSafe);
  if (given.size() == 0) return Value::none();
  const rt::Array at = wrapped(vm, given, array.size(), clip_mode);
  vm.set_item(flat, wrap_array(vm, rt::ravel(session(vm), at)), values);
  return Value::none();
}

Value nonzero(Interpreter& vm, const rt::Array& array) {
  if (array.rank() == 0) {
    vm.raise_value_error(
        "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
        "instead.");
  }
  return wrap_list(vm, rt::nonzero(session(vm), array), true);
}

Value flatnonzero(Interpreter& vm, const rt::Array& array) {
  const rt::Array row = rt::ravel(session(vm), array);
  return wrap_array(vm, rt::nonzero(session(vm), row)[0]);
}

Value argwhere(Interpreter& vm, const rt::Array& array) {
  if (array.rank() == 0) {
    const bool truth = rt::item(session(vm), array).truth();
    return wrap_array(vm,
                      rt::empty(session(vm), {truth ? 1 : 0, 0}, rt::DType::kInt64, array.space()));
  }
  return wrap_array(vm, rt::stack(session(vm), rt::nonzero(session(vm), array), 1));
}

Value extract(Interpreter& vm, const rt::Array& condition, const rt::Array& array) {
  rt::Session& state = session(vm);
  const rt::Array at = rt::nonzero(state, rt::ravel(state, condition))[0];
  return wrap_array(vm, rt::take(state, rt::ravel(state, array), at, 0));
}

Value compress(Interpreter& vm, const Namespace& names, const rt::Array& condition,
               const Value& source, const Value& axis, const Value& out) {
  rt::Session& state = session(vm);
  if (condition.rank() != 1) vm.raise_value_error("condition must be a 1-d array");
  rt::Array array = to_array(vm, source, names);
  const auto along = to_strict_axis(vm, axis);
  if (!along) array = rt::ravel(state, array);
  const rt::Array at = rt::nonzero(state, condition)[0];
  return finish_backwards(vm, rt::take(state, array, at, along.value_or(0)), out);
}

Value compress_method(Interpreter& vm, const Namespace& names, const Value& self,
                      const rt::Array& condition, const Value& axis, const Value& out) {
  return compress(vm, names, condition, self, axis, out);
}

int64_t least(Interpreter& vm, const rt::Array& array) {
  return rt::item(session(vm), rt::reduce(session(vm), rt::Fold::minimum, array, {})).as_int();
}
int64_t greatest(Interpreter& vm, const rt::Array& array) {
  return rt::item(session(vm), rt::reduce(session(vm), rt::Fold::maximum, array, {})).as_int();
}

Value choose(Interpreter& vm, const Namespace& names, const Value& indices, const Value& sequence,
             const Value& out, const Value& mode) {
  const std::vector<rt::Operand> choices = operand_list(vm, sequence, names);
  if (choices.empty()) vm.raise_value_error("choose: no choices are given");
  const auto count = static_cast<int64_t>(choices.size());
  const ClipMode clip_mode = to_clip_mode(vm, mode);
  const rt::Array numbers = cast_to_int64(vm, to_array(vm, indices, names), rt::Casting::kSafe);
  const rt::Array index = wrapped(vm, numbers, count, clip_mode);
  if (clip_mode == ClipMode::kRaise && index.size() > 0 &&
      (least(vm, index) < 0 || greatest(vm, index) >= count)) {
    vm.raise_value_error("invalid entry in choice array");
  }
  const rt::DType dtype = rt::result_type(choices);
  rt::Array result =
      rt::astype(session(vm), as_array(vm, cast_number(choices.back(), dtype), index.space()),
                 dtype, rt::Casting::kUnsafe, false);
  for (size_t i = choices.size() - 1; i-- > 0;) {
    const rt::Array here = ops::equal(vm, index, rt::Scalar::weak(static_cast<int64_t>(i)));
    result = ops::where(vm, here, cast_number(choices[i], dtype), result);
  }
  return finish_unsafe(vm, result, out);
}

// The choices one by one, or all in one sequence.
Value choose_method(Interpreter& vm, const Namespace& names, const Value& self,
                    const Value& choices, const Value& out, const Value& mode) {
  Tuple& given = *choices.as<Tuple>();
  if (given.size == 0) {
    vm.raise_type_error("choose() missing 1 required positional argument: 'choices'");
  }
  return choose(vm, names, self, given.size == 1 ? given[0] : choices, out, mode);
}

void check_choice(Interpreter& vm, const rt::Operand& choice, rt::DType dtype) {
  if (rt::can_cast(choice.dtype(), dtype, rt::Casting::kSameKind)) return;
  vm.raise_type_error(
      "Cannot cast array data from dtype('{}') to dtype('{}') according to the rule 'same_kind'",
      rt::name(choice.dtype()), rt::name(dtype));
}

// As in NumPy, the default may be a number that its dtype does not hold, but no choice may.
Value select(Interpreter& vm, const Namespace& names, const Value& condition_list,
             const Value& choice_list, const Value& otherwise) {
  const std::vector<rt::Array> conditions = array_list(vm, condition_list, names);
  std::vector<rt::Operand> choices = operand_list(vm, choice_list, names);
  if (conditions.size() != choices.size()) {
    vm.raise_value_error("list of cases must be same length as list of conditions");
  }
  if (conditions.empty()) {
    vm.raise_value_error("select with an empty condition list is not possible");
  }
  for (size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i].dtype() == rt::DType::kBool) continue;
    vm.raise_type_error("invalid entry {} in condlist: should be boolean ndarray", i);
  }
  choices.push_back(to_operand(vm, otherwise, names));
  const rt::DType dtype = rt::result_type(choices);
  rt::Operand result = cast_number(choices.back(), dtype);
  for (size_t i = conditions.size(); i-- > 0;) {
    check_choice(vm, choices[i], dtype);
    result = ops::where(vm, conditions[i], cast_number(choices[i], dtype), result);
  }
  return wrap_array(vm, result.array());
}

void check_copy(Interpreter& vm, const Namespace& names, const Value& source, rt::DType to,
                rt::Casting casting) {
  const auto number = try_number_for(vm, source, to);
  const Ndarray* array = as_ndarray(source);
  const bool element = source.is_none() || (source.is_object() &&
                                            source.as_object()->layout == ObjectLayout::instance &&
                                            !becomes_array(vm, source));
  if (element) {
    vm.raise_type_error(
        "Cannot cast scalar from dtype('O') to dtype('{}') according to the rule '{}'",
        rt::name(to), rt::name(casting));
  }
  if (!number && !array && !source.is<List>() && !source.is<Tuple>()) return;
  const rt::Operand from = number ? rt::Operand(*number) : rt::Operand(to_array(vm, source, names));
  const bool small_int = from.weakness() == rt::Weak::kInt && to != rt::DType::kBool;
  if (small_int || rt::can_cast(from.dtype(), to, casting)) return;
  const bool scalar = number || from.array().rank() == 0;
  vm.raise_type_error("Cannot cast {} from dtype('{}') to dtype('{}') according to the rule '{}'",
                      scalar ? "scalar" : "array data", rt::name(from.dtype()), rt::name(to),
                      rt::name(casting));
}

// The array that a function changes: its first argument.
const rt::Array& changed_array(Interpreter& vm, const Value& value, const char* function) {
  const Ndarray* target = as_ndarray(value);
  if (!target) {
    if (value.is_object()) leave_to(vm, value);
    vm.raise_type_error("{}() argument 1 must be numpy.ndarray, not {}", function,
                        vm.type_name(value));
  }
  return target->array;
}

Value copyto(Interpreter& vm, const Namespace& names, const Value& target, const Value& source,
             const Value& casting, const Value& where) {
  const rt::Array& to = changed_array(vm, target, "copyto");
  check_copy(vm, names, source, to.dtype(), to_casting(vm, casting, rt::Casting::kSameKind));
  rt::Operand stored = stored_operand(vm, source, to.dtype(), to.space());
  if (is_given(where) && !(where.is_boolean() && where.as_boolean())) {
    stored = ops::where(vm, to_mask(vm, where, names), stored, to);
  }
  rt::write(session(vm), to, stored);
  return Value::none();
}

// `count` of the values, taken from the start again where they run out.
rt::Array repeated(Interpreter& vm, const rt::Array& values, int64_t count, rt::Space space) {
  rt::Session& state = session(vm);
  const rt::Array row = rt::to_space(state, rt::ravel(state, values.as_array()), space);
  const rt::Array at =
      ops::remainder(vm, rt::iota(state, {count}, space), rt::Scalar::weak(row.size()));
  return rt::take(state, row, at, 0);
}

// The truth of a mask in the shape of its array.
rt::Array mask_of(Interpreter& vm, const rt::Array& mask, const rt::Array& array,
                  const char* function) {
  if (mask.size() != array.size()) {
    vm.raise_value_error("{}: mask and data must be the same size", function);
  }
  rt::Session& state = session(vm);
  const rt::Array truth = rt::astype(state, mask, rt::DType::kBool, rt::Casting::kUnsafe, false);
  return rt::reshape(state, truth, array.shape());
}

// Values that become elements of `array`: Python's numbers must fit, arrays must cast safely.
rt::Array values_for(Interpreter& vm, const Value& values, const rt::Array& array) {
  const rt::Operand given = stored_operand(vm, values, array.dtype(), array.space());
  const rt::Casting casting = as_ndarray(values) ? rt::Casting::kSafe : rt::Casting::kUnsafe;
  return rt::astype(session(vm), as_array(vm, given, array.space()), array.dtype(), casting, false);
}

// The elements under a mask become the values at the same places of their repetition.
Value putmask(Interpreter& vm, const Namespace& names, const Value& target, const Value& mask,
              const Value& values) {
  rt::Session& state = session(vm);
  const rt::Array& array = changed_array(vm, target, "putmask");
  const rt::Array truth = mask_of(vm, to_array(vm, mask, names), array, "putmask");
  const rt::Array given = values_for(vm, values, array);
  if (given.size() == 0) return Value::none();
  const rt::Array whole =
      rt::reshape(state, repeated(vm, given, array.size(), array.space()), array.shape());
  rt::write(state, array, ops::where(vm, truth, whole, array));
  return Value::none();
}

// The elements under a mask become the values one after another.
Value place(Interpreter& vm, const Namespace& names, const Value& target, const Value& mask,
            const Value& values) {
  rt::Session& state = session(vm);
  const rt::Array& array = changed_array(vm, target, "place");
  const rt::Array truth = mask_of(vm, to_array(vm, mask, names), array, "place");
  const rt::Array given = values_for(vm, values, array);
  const int64_t count =
      rt::item(state, rt::reduce(state, rt::Fold::count_nonzero, truth, {})).as_int();
  if (count == 0) return Value::none();
  if (given.size() == 0) vm.raise_value_error("Cannot insert from an empty array!");
  const rt::Array chosen = repeated(vm, given, count, array.space());
  rt::set_items(state, array, std::vector<rt::IndexItem>{truth}, chosen);
  return Value::none();
}

Value fill_diagonal(Interpreter& vm, const Value& target, const Value& values, const Value& wrap) {
  const rt::Array& array = changed_array(vm, target, "fill_diagonal");
  if (array.rank() < 2) vm.raise_value_error("array must be at least 2-d");
  int64_t step = array.rank() == 2 ? array.shape()[1] + 1 : 1;
  int64_t end = array.size();
  if (array.rank() == 2 && !vm.truth(wrap))
    end = std::min(end, array.shape()[1] * array.shape()[1]);
  if (array.rank() > 2) {
    int64_t place = 1;
    for (int i = 1; i < array.rank(); ++i) {
      if (array.shape()[i] != array.shape()[0]) {
        vm.raise_value_error("All dimensions of input must be of equal length");
      }
      step += place *= array.shape()[0];
    }
  }
  const Value every = vm.slice(Value::none(), Value::integer(end), Value::integer(step));
  vm.set_item(vm.get_attribute(target, "flat"), every, values);
  return Value::none();
}

void check_flat_index(Interpreter& vm, const rt::Array& index, int64_t size) {
  if (index.size() == 0) return;
  const int64_t low = least(vm, index), high = greatest(vm, index);
  if (low >= 0 && high < size) return;
  vm.raise_value_error("index {} is out of bounds for array with size {}", low < 0 ? low : high,
                       size);
}

// Indices as int64; numbers of another kind are refused.
rt::Array integer_indices(Interpreter& vm, const rt::Array& index) {
  if (!rt::is_integer(index.dtype()) && index.dtype() != rt::DType::kBool) {
    vm.raise_type_error("only int indices permitted");
  }
  return rt::astype(session(vm), index, rt::DType::kInt64, rt::Casting::kUnsafe, false);
}

// Whether the first axis varies fastest.
bool by_columns(Interpreter& vm, const Value& value) {
  const char order = to_order(vm, value, 'C');
  if (order != 'C' && order != 'F') vm.raise_value_error("only 'C' or 'F' order is permitted");
  return order == 'F';
}

Value unravel_index(Interpreter& vm, const rt::Array& indices, const Value& dims,
                    const Value& order) {
  rt::Array index = integer_indices(vm, indices);
  const rt::Dims shape = to_shape(vm, dims);
  const std::optional<int64_t> size = rt::try_element_count(shape);
  if (!size) {
    vm.raise_value_error(
        "dimensions are too large; arrays and shapes with a total size greater than 'intp' are not "
        "supported.");
  }
  if (shape.empty() && index.rank() > 0) {
    vm.raise_value_error("multiple indices are not supported for 0d arrays");
  }
  check_flat_index(vm, index, *size);
  std::vector<Value> results(static_cast<size_t>(shape.size()));
  const bool columns = by_columns(vm, order);
  for (int i = 0; i < shape.size(); ++i) {
    const int axis = columns ? i : shape.size() - 1 - i;
    const rt::Scalar extent = rt::Scalar::weak(shape[axis]);
    results[axis] = wrap_result(vm, ops::remainder(vm, index, extent));
    index = ops::floor_divide(vm, index, extent);
  }
  return vm.tuple(results);
}

// Reads one mode for all axes, or a sequence of one for each axis.
std::vector<ClipMode> to_clip_modes(Interpreter& vm, const Value& value, int axes) {
  if (!value.is<Tuple>() && !value.is<List>()) {
    return std::vector<ClipMode>(axes, to_clip_mode(vm, value));
  }
  std::vector<ClipMode> modes;
  vm.for_each(value, [&](const Value& item) { modes.push_back(to_clip_mode(vm, item)); });
  if (std::ssize(modes) != axes) {
    vm.raise_value_error("list of clipmodes has wrong length ({} instead of {})", modes.size(),
                         axes);
  }
  return modes;
}

// The indices along one axis, each brought into [0, extent) or refused.
rt::Array axis_indices(Interpreter& vm, const rt::Array& given, int64_t extent, ClipMode mode) {
  const rt::Array index = integer_indices(vm, given);
  if (index.size() == 0) return index;
  if (extent == 0) {
    vm.raise_value_error("cannot unravel if shape has zero entries (is empty).");
  }
  const rt::Array inside = wrapped(vm, index, extent, mode);
  if (least(vm, inside) < 0 || greatest(vm, inside) >= extent) {
    vm.raise_value_error("invalid entry in coordinates array");
  }
  return inside;
}

Value ravel_multi_index(Interpreter& vm, const Namespace& names, const Value& indices,
                        const Value& dims, const Value& mode, const Value& order) {
  const std::vector<rt::Array> at = array_list(vm, indices, names);
  const rt::Dims shape = to_shape(vm, dims);
  if (std::ssize(at) != shape.size()) {
    vm.raise_value_error("parameter multi_index must be a sequence of length {}", shape.size());
  }
  if (!rt::try_element_count(shape)) {
    vm.raise_value_error(
        "invalid dims: array size defined by dims is larger than the maximum possible size.");
  }
  const std::vector<ClipMode> modes = to_clip_modes(vm, mode, shape.size());
  const bool columns = by_columns(vm, order);
  rt::Operand sum = rt::Scalar::of(rt::DType::kInt64, int64_t{0});
  for (int i = 0; i < shape.size(); ++i) {
    const int axis = columns ? shape.size() - 1 - i : i;
    const rt::Scalar extent = rt::Scalar::of(rt::DType::kInt64, shape[axis]);
    const rt::Array inside = axis_indices(vm, at[axis], shape[axis], modes[axis]);
    sum = i == 0 ? rt::Operand(inside) : ops::add(vm, ops::multiply(vm, sum, extent), inside);
  }
  if (!sum.is_array()) return wrap_int64(vm, 0);
  return wrap_result(vm, sum.array());
}

const Native kFunctions[] = {
    {"take", "(a, indices, axis=None, out=None, mode='raise')", typed<take>,
     "Elements at indices along an axis."},
    {"take_along_axis", "(arr, indices, axis=<last>)", typed<take_along_axis>,
     "For each place, the element at its index along an axis."},
    {"put_along_axis", "(arr, indices, values, axis)", typed<put_along_axis>,
     "Sets, for each place, the element at its index along an axis."},
    {"put", "(a, ind, v, mode='raise')", typed<put>, "Sets elements of the flattened array."},
    {"nonzero", "(a)", typed<nonzero>, "The indices of elements that are true, an array an axis."},
    {"flatnonzero", "(a)", typed<flatnonzero>,
     "The indices, in the flattened array, of what is true."},
    {"argwhere", "(a)", typed<argwhere>, "The indices of what is true, a row each."},
    {"extract", "(condition, arr)", typed<extract>, "The elements where a condition holds."},
    {"compress", "(condition, a, axis=None, out=None)", typed<compress>,
     "Slices where a condition holds."},
    {"choose", "(a, choices, out=None, mode='raise')", typed<choose>,
     "Elements chosen by index among arrays."},
    {"select", "(condlist, choicelist, default=0)", typed<select>,
     "Elements of the first choice whose condition holds."},
    {"copyto", "(dst, src, casting='same_kind', where=True)", typed<copyto>,
     "Copies into an array."},
    {"putmask", "(a, mask, values)", typed<putmask>, "Sets elements where a mask is true."},
    {"place", "(arr, mask, vals)", typed<place>, "Sets elements where a mask is true, in order."},
    {"fill_diagonal", "(a, val, wrap=False)", typed<fill_diagonal>, "Sets the main diagonal."},
    {"unravel_index", "(indices, shape, order='C')", typed<unravel_index>,
     "Indices of a flattened array as indices of its shape."},
    {"ravel_multi_index", "(multi_index, dims, mode='raise', order='C')", typed<ravel_multi_index>,
     "Indices of a shape as indices of the flattened array."},
};
const Native kMethods[] = {
    {.name = "take",
     .signature = "(self, indices, axis=None, out=None, mode='raise')",
     .body = typed<take>,
     .doc = "Elements at indices along an axis.",
     .quick = take_quickly},
    {"put", "(self, indices, values, mode='raise')", typed<put>,
     "Sets elements of the flattened array."},
    {"compress", "(self, condition, axis=None, out=None)", typed<compress_method>,
     "Slices where a condition holds."},
    {"choose", "(self, *choices, out=None, mode='raise')", typed<choose_method>,
     "Elements chosen among arrays, by this array's indices."},
    {"nonzero", "(self, /)", typed<nonzero>,
     "The indices of elements that are true, an array an axis."},
};

}  // namespace

Family selection_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
