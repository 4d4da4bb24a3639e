// Arrays of evenly spaced numbers, and grids of them.
#include <cmath>

#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/shape.h"
#include "src/array/indexing.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/grid.h"
#include "src/array/sequence_objects.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

rt::Scalar range_number(Interpreter& vm, const Value& value) {
  if (is_beyond_64_bits(value)) leave_to_other_kinds(vm);
  if (auto number = try_number(vm, value)) return *number;
  if (const Ndarray* array = as_ndarray(value)) {
    if (array->array.size() == 1)
      return rt::item(session(vm), array->array).cast(array->array.dtype());
    vm.truth(value);  // raises
  }
  leave_to(vm, value);
  if (value.is<Str>() || value.is<Bytes>()) leave_to_other_kinds(vm);
  vm.raise_type_error("arange() not supported for inputs of type '{}'", vm.type_name(value));
}

bool is_zero(const rt::Scalar& number) { return number.as_complex() == std::complex<double>(0); }

// The dtype must hold the first two elements, which the others follow from.
void check_range(Interpreter& vm, const rt::Array& range, const rt::Scalar& start,
                 const rt::Scalar& step) {
  if (range.dtype() == rt::DType::kBool && range.size() > 2) {
    vm.raise_type_error(
        "arange() is only supported for booleans when the result has at most length 2.");
  }
  if (!rt::is_integer(range.dtype()) || rt::is_inexact(start.dtype()) ||
      rt::is_inexact(step.dtype()))
    return;
  for (int64_t i = 0; i < std::min<int64_t>(range.size(), 2); ++i) {
    const Value number = Value::integer(start.as_int() + i * step.as_int());
    stored_operand(vm, number, range.dtype(), range.space());
  }
}

Value arange(Interpreter& vm, const Namespace& names, const Value& start, const Value& stop,
             const Value& step, const Value& dtype, Device, Like) {
  const bool one = !is_given(stop);
  if (one && !is_given(start)) vm.raise_type_error("arange() requires stop to be specified.");
  const auto wanted = to_optional_dtype(vm, dtype);
  const rt::Scalar first =
      one || start.is_undefined() ? rt::Scalar::weak(int64_t{0}) : range_number(vm, start);
  const rt::Scalar end = range_number(vm, one ? start : stop);
  const rt::Scalar apart = is_given(step) ? range_number(vm, step) : rt::Scalar::weak(int64_t{1});
  const auto is_complex = [](const rt::Scalar& number) { return rt::is_complex(number.dtype()); };
  if (wanted && !rt::is_complex(*wanted) &&
      (is_complex(first) || is_complex(end) || is_complex(apart))) {
    vm.raise_type_error("must be real number, not complex");
  }
  if (is_zero(apart)) vm.raise(vm.types.zero_division_error, "division by zero");
  rt::DType own = rt::DType::kInt64;
  for (const rt::Scalar& number : {first, end, apart}) own = rt::promote(own, number.dtype());
  rt::Array range =
      rt::arange(session(vm), first, end, apart, wanted.value_or(own), names.space(session(vm)));
  if (wanted) check_range(vm, range, first, apart);
  return wrap_array(vm, std::move(range));
}

// --- linspace and its relatives ------------------------------------------------------------------

int64_t sample_count(Interpreter& vm, const Value& value) {
  const Value number = vm.to_index_value(value);
  if (!number.is_integer()) vm.raise_value_error("Maximum allowed size exceeded");
  const int64_t count = number.as_integer();
  if (count < 0) vm.raise_value_error("Number of samples, {}, must be non-negative.", count);
  return count;
}

rt::Array as_dtype(Interpreter& vm, const rt::Array& array, rt::DType dtype) {
  if (rt::is_integer(dtype) && !rt::is_integer(array.dtype())) {
    return rt::astype(session(vm), ops::floor(vm, array), dtype);
  }
  return rt::astype(session(vm), array, dtype, rt::Casting::kUnsafe, false);
}

struct Spacing {
  rt::Operand start, stop;
  int64_t count;
  bool endpoint;
  rt::Space space;
  rt::DType inexact;  // the dtype of the computation

  int64_t intervals() const { return endpoint ? count - 1 : count; }
  bool plain() const {
    return !start.is_array() && !stop.is_array() && inexact == rt::DType::kFloat64;
  }
};

Spacing read_spacing(Interpreter& vm, const Namespace& names, const rt::Operand& start,
                     const rt::Operand& stop, const Value& count, const Value& endpoint) {
  Spacing spacing{start,
                  stop,
                  sample_count(vm, count),
                  vm.truth(endpoint),
                  names.space(session(vm)),
                  rt::DType::kFloat64};
  const rt::Operand types[] = {spacing.start, spacing.stop, rt::Operand(rt::Scalar::weak(1.0))};
  spacing.inexact = rt::result_type(types);
  return spacing;
}

rt::Array delta_of(Interpreter& vm, const Spacing& spacing) {
  const rt::Array start = as_dtype(vm, as_array(vm, spacing.start, spacing.space), spacing.inexact);
  const rt::Array stop = as_dtype(vm, as_array(vm, spacing.stop, spacing.space), spacing.inexact);
  return ops::subtract(vm, stop, start);
}

// NaN where there is no interval.
rt::Array step_of(Interpreter& vm, const Spacing& spacing) {
  const rt::Array delta = delta_of(vm, spacing);
  const int64_t intervals = spacing.intervals();
  if (intervals > 0) return ops::divide(vm, delta, rt::Scalar::weak(intervals));
  return rt::full(session(vm), delta.shape(), rt::Scalar::weak(NAN), rt::real_type(spacing.inexact),
                  spacing.space);
}

// How far samples are from the start. A step too small for the dtype is 0: there the share of the
// interval is multiplied by what the interval spans.
rt::Array distances(Interpreter& vm, const Spacing& spacing, const rt::Array& delta,
                    const rt::Array& index) {
  if (spacing.intervals() <= 0) return ops::multiply(vm, index, delta);
  const rt::Scalar intervals = rt::Scalar::weak(spacing.intervals());
  const rt::Array step = ops::divide(vm, delta, intervals);
  const rt::Array share = ops::divide(vm, index, intervals);
  return ops::where(vm, ops::equal(vm, step, rt::Scalar::weak(int64_t{0})),
                    ops::multiply(vm, share, delta), ops::multiply(vm, index, step));
}

// Along a new first axis.
rt::Array general_samples(Interpreter& vm, const Spacing& spacing) {
  rt::Session& state = session(vm);
  const rt::Array delta = delta_of(vm, spacing);
  rt::Dims along(delta.rank() + 1, 1);
  along[0] = spacing.count;
  rt::Array index =
      rt::astype(state, rt::iota(state, {spacing.count}, spacing.space), spacing.inexact);
  index = rt::reshape(state, index, along);
  const rt::Operand start = cast_number(spacing.start, spacing.inexact);
  rt::Array samples = ops::add(vm, distances(vm, spacing, delta, index), start);
  if (spacing.endpoint && spacing.count > 1) {
    // The last sample is `stop` itself, however it was rounded.
    samples = rt::copy(state, samples, 'C');
    rt::set_items(state, samples, std::vector<rt::IndexItem>{int64_t{-1}}, spacing.stop);
  }
  return samples;
}

rt::Array samples_of(Interpreter& vm, const Spacing& spacing) {
  if (!spacing.plain()) return general_samples(vm, spacing);
  const double start = spacing.start.scalar().as_double();
  const double stop = spacing.stop.scalar().as_double();
  return rt::linspace(session(vm), start, stop, spacing.count, spacing.endpoint,
                      rt::DType::kFloat64, spacing.space);
}

rt::Array to_wanted_axis(const rt::Array& samples, int64_t axis) {
  if (axis == 0) return samples;
  const int64_t from[] = {0};
  const int64_t to[] = {axis};
  return rt::move_axes(samples, from, to);
}

Value linspace(Interpreter& vm, const Namespace& names, const rt::Operand& start,
               const rt::Operand& stop, const Value& count, const Value& endpoint,
               const Value& with_step, const Value& dtype, const Value& axis, Device) {
  const Spacing spacing = read_spacing(vm, names, start, stop, count, endpoint);
  rt::Array samples = samples_of(vm, spacing);
  samples = as_dtype(vm, samples, to_optional_dtype(vm, dtype).value_or(spacing.inexact));
  Value result = wrap_array(vm, to_wanted_axis(samples, vm.to_index(axis)));
  if (!vm.truth(with_step)) return result;
  return vm.tuple({result, wrap_result(vm, step_of(vm, spacing))});
}

// --- grids ---------------------------------------------------------------------------------------

rt::Array along_axis(Interpreter& vm, const rt::Array& array, int rank, int axis) {
  rt::Dims shape(rank, 1);
  shape[axis] = array.size();
  return rt::reshape(session(vm), array, shape);
}

Value indices(Interpreter& vm, const Namespace& names, const Shape& shape,
              std::optional<rt::DType> wanted, bool sparse) {
  const rt::DType dtype = wanted.value_or(rt::DType::kInt64);
  if (!sparse) {
    rt::element_count(shape, rt::checked_product(std::max(shape.size(), 1), rt::item_size(dtype)));
  }
  std::vector<rt::Array> grids;
  for (int axis = 0; axis < shape.size(); ++axis) {
    rt::Array index = rt::iota(session(vm), {shape[axis]}, names.space(session(vm)));
    index = rt::astype(session(vm), index, dtype, rt::Casting::kUnsafe, false);
    index = along_axis(vm, index, shape.size(), axis);
    grids.push_back(sparse ? index : rt::broadcast_to(index, shape));
  }
  if (sparse) return wrap_list(vm, grids, true);
  if (grids.empty())
    return wrap_array(vm, rt::empty(session(vm), {0}, dtype, names.space(session(vm))));
  const rt::Array all = rt::stack(session(vm), grids, 0);
  return wrap_array(vm, rt::astype(session(vm), all, dtype, rt::Casting::kUnsafe, false));
}

const Native kFunctions[] = {
    {"arange", "(start=<omitted>, stop=None, step=None, dtype=None, *, device=None, like=None)",
     typed<arange>, "The numbers from start up to stop, step apart."},
    {"linspace",
     "(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)",
     typed<linspace>, "Evenly spaced numbers over an interval."},
    {"indices", "(dimensions, dtype=None, sparse=False)", typed<indices>,
     "The indices of every element of a shape."},
};

}  // namespace

Family range_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
