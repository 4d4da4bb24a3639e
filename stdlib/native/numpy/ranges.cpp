// Arrays of evenly spaced numbers, and grids of them.
#include <cmath>

#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/shape.h"
#include "src/array/indexing.h"
#include "stdlib/native/numpy/grid.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

rt::Space space_of(Interpreter& vm, const Args& args) {
  return namespace_or_numpy(args).space(session(vm));
}

rt::Scalar range_number(Interpreter& vm, const Value& value) {
  if (auto number = try_number(vm, value)) return *number;
  if (const Ndarray* array = as_ndarray(value)) {
    if (array->array.size() == 1)
      return rt::item(session(vm), array->array).cast(array->array.dtype());
  }
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

Value arange(Interpreter& vm, Args args) {
  const bool one = !is_given(args[1]);
  if (one && !is_given(args[0])) vm.raise_type_error("arange() requires stop to be specified.");
  const rt::Scalar start =
      one || !is_given(args[0]) ? rt::Scalar::weak(int64_t{0}) : range_number(vm, args[0]);
  const rt::Scalar stop = range_number(vm, one ? args[0] : args[1]);
  const rt::Scalar step =
      is_given(args[2]) ? range_number(vm, args[2]) : rt::Scalar::weak(int64_t{1});
  if (is_zero(step)) vm.raise(vm.types.zero_division_error, "division by zero");
  rt::DType dtype = rt::DType::kInt64;
  for (const rt::Scalar& number : {start, stop, step}) dtype = rt::promote(dtype, number.dtype());
  const auto wanted = to_optional_dtype(vm, args[3]);
  rt::Array range =
      rt::arange(session(vm), start, stop, step, wanted.value_or(dtype), space_of(vm, args));
  if (wanted) check_range(vm, range, start, step);
  return wrap_array(vm, std::move(range));
}

// --- linspace and its kin ------------------------------------------------------------------------

int64_t sample_count(Interpreter& vm, const Value& value) {
  const int64_t count = vm.to_index(value);
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
  rt::DType inexact;  // what is computed in

  int64_t intervals() const { return endpoint ? count - 1 : count; }
  bool plain() const {
    return !start.is_array() && !stop.is_array() && inexact == rt::DType::kFloat64;
  }
};

Spacing read_spacing(Interpreter& vm, const Args& args, const Value& endpoint) {
  const Namespace& names = namespace_or_numpy(args);
  Spacing spacing{to_operand(vm, args[0], names), to_operand(vm, args[1], names),
                  sample_count(vm, args[2]),      vm.truth(endpoint),
                  names.space(session(vm)),       rt::DType::kFloat64};
  const rt::Operand types[] = {spacing.start, spacing.stop, rt::Operand(rt::Scalar::weak(1.0))};
  spacing.inexact = rt::result_type(types);
  return spacing;
}

// Along a new first axis.
rt::Array general_samples(Interpreter& vm, const Spacing& spacing, rt::Array& step) {
  rt::Session& state = session(vm);
  const rt::Array start = as_dtype(vm, as_array(vm, spacing.start, spacing.space), spacing.inexact);
  const rt::Array stop = as_dtype(vm, as_array(vm, spacing.stop, spacing.space), spacing.inexact);
  const rt::Array delta = ops::subtract(vm, stop, start);
  rt::Dims along(delta.rank() + 1, 1);
  along[0] = spacing.count;
  rt::Array index =
      rt::astype(state, rt::iota(state, {spacing.count}, spacing.space), spacing.inexact);
  index = rt::reshape(state, index, along);
  const int64_t intervals = spacing.intervals();
  if (intervals > 0) {
    step = ops::divide(vm, delta, rt::Scalar::weak(intervals));
    index = ops::multiply(vm, index, step);
  } else {
    step = rt::full(state, delta.shape(), rt::Scalar::weak(NAN), rt::real_type(spacing.inexact),
                    spacing.space);
    index = ops::multiply(vm, index, delta);
  }
  rt::Array samples = ops::add(vm, index, start);
  if (spacing.endpoint && spacing.count > 1) {
    // The last one is `stop` itself, whatever rounding made of it.
    samples = rt::copy(state, samples, 'C');
    rt::set_items(state, samples, std::vector<rt::IndexItem>{int64_t{-1}}, stop);
  }
  return samples;
}

rt::Array samples_of(Interpreter& vm, const Spacing& spacing, rt::Array& step) {
  if (!spacing.plain()) return general_samples(vm, spacing, step);
  const double start = spacing.start.scalar().as_double();
  const double stop = spacing.stop.scalar().as_double();
  const double size =
      spacing.intervals() > 0 ? (stop - start) / static_cast<double>(spacing.intervals()) : NAN;
  step = rt::full(session(vm), {}, rt::Scalar::weak(size), rt::DType::kFloat64, spacing.space);
  return rt::linspace(session(vm), start, stop, spacing.count, spacing.endpoint,
                      rt::DType::kFloat64, spacing.space);
}

rt::Array to_wanted_axis(const rt::Array& samples, int64_t axis) {
  if (axis == 0) return samples;
  const int64_t from[] = {0};
  const int64_t to[] = {axis};
  return rt::move_axes(samples, from, to);
}

Value linspace(Interpreter& vm, Args args) {
  const Spacing spacing = read_spacing(vm, args, args[3]);
  rt::Array step;
  rt::Array samples = samples_of(vm, spacing, step);
  samples = as_dtype(vm, samples, to_optional_dtype(vm, args[5]).value_or(spacing.inexact));
  Value result = wrap_array(vm, to_wanted_axis(samples, vm.to_index(args[6])));
  if (!vm.truth(args[4])) return result;
  return vm.tuple({result, wrap_result(vm, step)});
}

Value logspace(Interpreter& vm, Args args) {
  const Spacing spacing = read_spacing(vm, args, args[3]);
  rt::Array step;
  const rt::Array exponents = samples_of(vm, spacing, step);
  const rt::Operand base = to_operand(vm, args[4], namespace_or_numpy(args));
  const rt::Array samples = ops::power(vm, base, exponents);
  const auto wanted = to_optional_dtype(vm, args[5]);
  const rt::Array typed = wanted ? rt::astype(session(vm), samples, *wanted) : samples;
  return wrap_array(vm, to_wanted_axis(typed, vm.to_index(args[6])));
}

Value geomspace(Interpreter& vm, Args args) {
  const double start = vm.to_real(args[0]), stop = vm.to_real(args[1]);
  if (start == 0 || stop == 0) vm.raise_value_error("Geometric sequence cannot include zero");
  const double sign = start < 0 && stop < 0 ? -1 : 1;
  const int64_t count = sample_count(vm, args[2]);
  const bool endpoint = vm.truth(args[3]);
  const rt::Space space = space_of(vm, args);
  const rt::Array exponents =
      rt::linspace(session(vm), std::log10(sign * start), std::log10(sign * stop), count, endpoint,
                   rt::DType::kFloat64, space);
  rt::Array samples = ops::power(vm, rt::Scalar::weak(10.0), exponents);
  samples = rt::copy(session(vm), ops::multiply(vm, samples, rt::Scalar::weak(sign)));
  const std::vector<rt::IndexItem> first{int64_t{0}}, last{int64_t{-1}};
  if (count > 0) rt::set_items(session(vm), samples, first, rt::Scalar::weak(start));
  if (count > 1 && endpoint) rt::set_items(session(vm), samples, last, rt::Scalar::weak(stop));
  return wrap_array(
      vm, rt::astype(session(vm), samples, to_dtype(vm, args[4]), rt::Casting::kUnsafe, false));
}

// --- grids ---------------------------------------------------------------------------------------

rt::Array along_axis(Interpreter& vm, const rt::Array& array, int rank, int axis) {
  rt::Dims shape(rank, 1);
  shape[axis] = array.size();
  return rt::reshape(session(vm), array, shape);
}

Value meshgrid(Interpreter& vm, Args args) {
  const std::string_view indexing = vm.to_text(args[3], "indexing");
  if (indexing != "xy" && indexing != "ij") {
    vm.raise_value_error("Valid values for `indexing` are 'xy' and 'ij'.");
  }
  std::vector<rt::Array> grids = array_list(vm, args[0], namespace_or_numpy(args));
  const int rank = static_cast<int>(grids.size());
  const bool swap = indexing == "xy" && rank > 1;
  rt::Dims shape(rank, 1);
  for (int i = 0; i < rank; ++i) {
    const int axis = swap && i < 2 ? 1 - i : i;
    shape[axis] = grids[i].size();
    grids[i] = along_axis(vm, grids[i], rank, axis);
  }
  const bool sparse = vm.truth(args[2]);
  for (rt::Array& grid : grids) {
    if (!sparse) grid = rt::broadcast_to(grid, shape);
    if (vm.truth(args[1])) grid = rt::copy(session(vm), grid, 'C');
  }
  return wrap_list(vm, grids, true);
}

Value indices(Interpreter& vm, Args args) {
  const rt::Dims shape = to_shape(vm, args[0]);
  const rt::DType dtype = is_given(args[1]) ? to_dtype(vm, args[1]) : rt::DType::kInt64;
  if (!vm.truth(args[2])) {
    rt::element_count(shape, rt::checked_product(std::max(shape.size(), 1), rt::item_size(dtype)));
  }
  std::vector<rt::Array> grids;
  for (int axis = 0; axis < shape.size(); ++axis) {
    rt::Array index = rt::iota(session(vm), {shape[axis]}, space_of(vm, args));
    index = rt::astype(session(vm), index, dtype, rt::Casting::kUnsafe, false);
    index = along_axis(vm, index, shape.size(), axis);
    grids.push_back(vm.truth(args[2]) ? index : rt::broadcast_to(index, shape));
  }
  if (vm.truth(args[2])) return wrap_list(vm, grids, true);
  return wrap_array(vm, rt::stack(session(vm), grids, 0));
}

const Native kFunctions[] = {
    {"arange", "(start=<omitted>, stop=None, step=None, dtype=None, *, device=None, like=None)",
     arange, "The numbers from start up to stop, step apart."},
    {"linspace",
     "(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)",
     linspace, "Evenly spaced numbers over an interval."},
    {"logspace", "(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)", logspace,
     "Numbers whose logarithms are evenly spaced."},
    {"geomspace", "(start, stop, num=50, endpoint=True, dtype=None, axis=0)", geomspace,
     "Numbers a constant factor apart."},
    {"meshgrid", "(*xi, copy=True, sparse=False, indexing='xy')", meshgrid,
     "A grid's coordinates, one array an axis."},
    {"indices", "(dimensions, dtype=None, sparse=False)", indices,
     "The indices of every element of a shape."},
};

}  // namespace

Family range_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
