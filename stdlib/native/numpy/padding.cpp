// Arrays with a border, or made longer by repetition.
#include <algorithm>

#include "runtime/graph/write_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "src/array/indexing.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/statistics.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

struct Border {
  int64_t before, after;
};

// 2, (1, 2) for every axis, ((1, 2),) or ((1, 2), (3, 4)).
std::vector<Border> read_borders(Interpreter& vm, const Value& width, int rank) {
  auto one = [&](const Value& value) {
    const std::vector<int64_t> ends = to_ints(vm, value);
    if (ends.size() != 1 && ends.size() != 2) {
      vm.raise_value_error("pad_width: one or two ints are expected for an axis (got {})",
                           ends.size());
    }
    if (ends.front() < 0 || ends.back() < 0) {
      vm.raise_value_error("index can't contain negative values");
    }
    return Border{ends.front(), ends.back()};
  };
  if (vm.has_index(width)) return std::vector<Border>(rank, one(width));
  const std::vector<Value> items = vm.collect(width);
  const bool flat = !items.empty() && vm.has_index(items[0]);
  if (flat) return std::vector<Border>(rank, one(width));
  std::vector<Border> borders;
  for (const Value& item : items) borders.push_back(one(item));
  if (borders.size() == 1) borders.assign(rank, borders[0]);
  if (static_cast<int>(borders.size()) != rank) {
    vm.raise_value_error(
        "operands could not be broadcast together with remapped shapes "
        "[original->remapped]: ({},2) and requested shape ({},2)",
        borders.size(), rank);
  }
  return borders;
}

enum class PadMode {
  constant,
  edge,
  reflect,
  symmetric,
  wrap,
  linear_ramp,
  maximum,
  mean,
  median,
  minimum
};

constexpr std::string_view kModes[] = {"constant",    "edge",    "reflect", "symmetric", "wrap",
                                       "linear_ramp", "maximum", "mean",    "median",    "minimum"};

PadMode to_mode(Interpreter& vm, const Value& value) {
  const std::string_view text = vm.to_text(value, "mode");
  for (size_t i = 0; i < std::size(kModes); ++i) {
    if (kModes[i] == text) return static_cast<PadMode>(i);
  }
  vm.raise_value_error("mode '{}' is not supported", text);
}

// What stands on the two sides of one axis.
struct Sides {
  rt::Array before, after;
};

// The element that stands at `i`, which may lie outside of an axis.
int64_t source_of(int64_t i, int64_t extent, PadMode mode) {
  if (mode == PadMode::edge) return std::clamp<int64_t>(i, 0, extent - 1);
  if (mode == PadMode::wrap) return ((i % extent) + extent) % extent;
  const int64_t period =
      mode == PadMode::reflect ? std::max<int64_t>(2 * extent - 2, 1) : 2 * extent;
  const int64_t at = ((i % period) + period) % period;
  if (at < extent) return at;
  return mode == PadMode::reflect ? period - at : period - 1 - at;
}

rt::Array padded_along(Interpreter& vm, const rt::Array& array, int axis, const Border& border,
                       PadMode mode) {
  const int64_t extent = array.shape()[axis], count = border.before + extent + border.after;
  const rt::Array index = rt::empty(session(vm), {count}, rt::DType::kInt64, rt::Space::host());
  {
    const rt::WriteAccess access(session(vm), index, rt::kHostPlace);
    auto* at = reinterpret_cast<int64_t*>(access.data());
    Heed heed(vm);
    for (int64_t i = 0; i < count; ++i) {
      heed.step();
      at[i] = source_of(i - border.before, extent, mode);
    }
  }
  return rt::take(session(vm), array, rt::to_space(session(vm), index, array.space()), axis);
}

rt::Array layers(const rt::Array& array, int axis, int64_t from, int64_t to) {
  const int64_t at[] = {from, to};
  return rt::split(array, at, axis)[1];
}

// One layer widened to `count` of them.
rt::Array widened(const rt::Array& layer, int axis, int64_t count) {
  rt::Dims shape = layer.shape();
  shape[axis] = count;
  return rt::broadcast_to(layer, shape);
}

// --- numbers given for each side -----------------------------------------------------------------

// `values` as NumPy broadcasts them to (axes, 2): a number, a pair, or a pair an axis.
rt::Array side_value(Interpreter& vm, const Args& args, size_t i, int rank, int axis, int side) {
  const rt::Array given = to_array(vm, args[i], kGp);
  const rt::Array pairs = rt::broadcast_to(given, rt::Dims{int64_t{rank}, 2});
  return rt::get_items(session(vm), pairs,
                       std::vector<rt::IndexItem>{int64_t{axis}, int64_t{side}});
}

Sides constant_sides(Interpreter& vm, const Args& args, const rt::Array& array, int axis,
                     const Border& border) {
  auto side = [&](int which, int64_t count) {
    rt::Dims shape = array.shape();
    shape[axis] = count;
    const rt::Array value = rt::to_space(
        session(vm), side_value(vm, args, 3, array.rank(), axis, which), array.space());
    return rt::broadcast_to(rt::astype(session(vm), value, array.dtype()), shape);
  };
  return {side(0, border.before), side(1, border.after)};
}

// From an end value towards an edge, which it does not reach; as linspace computes it.
rt::Array ramp(Interpreter& vm, const rt::Array& edge, const rt::Array& end, int axis,
               int64_t count) {
  const rt::DType work =
      rt::is_complex(edge.dtype()) ? rt::DType::kComplex128 : rt::DType::kFloat64;
  rt::Dims shape(edge.rank(), 1);
  shape[axis] = count;
  const rt::Array index = rt::astype(session(vm), rt::iota(session(vm), shape, edge.space()), work);
  const rt::Array from =
      rt::astype(session(vm), rt::to_space(session(vm), end, edge.space()), work);
  const rt::Array span = apply(vm, "subtract", {rt::astype(session(vm), edge, work), from});
  const rt::Array step = apply(vm, "divide", {span, rt::Scalar::weak(static_cast<double>(count))});
  rt::Array result = apply(vm, "add", {apply(vm, "multiply", {index, step}), from});
  if (rt::is_integer(edge.dtype())) result = apply(vm, "floor", {result});
  return rt::astype(session(vm), result, edge.dtype());
}

Sides ramp_sides(Interpreter& vm, const Args& args, const rt::Array& array, int axis,
                 const Border& border) {
  const int64_t extent = array.shape()[axis], along[] = {axis};
  const rt::Array first = layers(array, axis, 0, 1), last = layers(array, axis, extent - 1, extent);
  const int rank = array.rank();
  const rt::Array after =
      ramp(vm, last, side_value(vm, args, 4, rank, axis, 1), axis, border.after);
  return {ramp(vm, first, side_value(vm, args, 4, rank, axis, 0), axis, border.before),
          rt::flip(after, along)};
}

// --- statistics ----------------------------------------------------------------------------------

rt::Array median_along(Interpreter& vm, const rt::Array& array, int axis) {
  std::vector<int64_t> order;
  for (int i = 0; i < array.rank(); ++i) {
    if (i != axis) order.push_back(i);
  }
  order.push_back(axis);
  const int64_t at[] = {axis};
  return rt::expand_dims(median_of_last(vm, rt::transpose(array, order)), at);
}

rt::Array statistic(Interpreter& vm, const rt::Array& array, int axis, PadMode mode) {
  rt::ReduceOptions along;
  along.axes = std::vector<int64_t>{axis};
  along.keepdims = true;
  if (mode == PadMode::maximum) return rt::reduce(session(vm), "maximum", array, along);
  if (mode == PadMode::minimum) return rt::reduce(session(vm), "minimum", array, along);
  rt::Array result =
      mode == PadMode::mean ? rt::mean(session(vm), array, along) : median_along(vm, array, axis);
  if (rt::is_integer(array.dtype())) result = apply(vm, "rint", {result});
  return rt::astype(session(vm), result, array.dtype());
}

// How many elements nearest to a side its statistic is of; stat_length=None: all.
int64_t statistic_length(Interpreter& vm, const Args& args, const rt::Array& array, int axis,
                         int side, PadMode mode) {
  const int64_t extent = array.shape()[axis];
  if (!is_given(args[5])) return extent;
  const int64_t length =
      rt::item(session(vm), side_value(vm, args, 5, array.rank(), axis, side)).as_int();
  if (length < 0) vm.raise_value_error("index can't contain negative values");
  if (length == 0 && (mode == PadMode::maximum || mode == PadMode::minimum)) {
    vm.raise_value_error("stat_length of 0 yields no value for padding");
  }
  return std::min(length, extent);
}

Sides statistic_sides(Interpreter& vm, const Args& args, const rt::Array& array, int axis,
                      const Border& border, PadMode mode) {
  const int64_t extent = array.shape()[axis];
  const int64_t left = statistic_length(vm, args, array, axis, 0, mode);
  const int64_t right = statistic_length(vm, args, array, axis, 1, mode);
  const rt::Array before = statistic(vm, layers(array, axis, 0, left), axis, mode);
  const rt::Array after = statistic(vm, layers(array, axis, extent - right, extent), axis, mode);
  return {widened(before, axis, border.before), widened(after, axis, border.after)};
}

// --- pad -----------------------------------------------------------------------------------------

// (array, pad_width, mode, constant_values, end_values, stat_length)
rt::Array padded(Interpreter& vm, const Args& args, const rt::Array& array, int axis,
                 const Border& border, PadMode mode) {
  if (array.shape()[axis] == 0 && mode != PadMode::constant) {
    vm.raise_value_error("can't extend empty axis {} using modes other than 'constant' or 'empty'",
                         axis);
  }
  if (mode >= PadMode::edge && mode <= PadMode::wrap)
    return padded_along(vm, array, axis, border, mode);
  const Sides sides = mode == PadMode::constant ? constant_sides(vm, args, array, axis, border)
                      : mode == PadMode::linear_ramp
                          ? ramp_sides(vm, args, array, axis, border)
                          : statistic_sides(vm, args, array, axis, border, mode);
  const rt::Array parts[] = {sides.before, array, sides.after};
  return rt::concatenate(session(vm), parts, axis);
}

// Room for the result, before the axes are widened one after another.
void check_padded(Interpreter& vm, const rt::Array& array, const std::vector<Border>& borders) {
  rt::Dims shape = array.shape();
  for (int axis = 0; axis < array.rank(); ++axis) {
    shape[axis] = rt::checked_sum(shape[axis], borders[axis].before);
    shape[axis] = rt::checked_sum(shape[axis], borders[axis].after);
  }
  rt::empty(session(vm), shape, array.dtype(), array.space());
}

Value pad(Interpreter& vm, Args args) {
  const rt::Array given = array_argument(vm, args);
  rt::Array array = given;
  const std::vector<Border> borders = read_borders(vm, args[1], array.rank());
  check_padded(vm, array, borders);
  const PadMode mode = to_mode(vm, args[2]);
  for (int axis = 0; axis < array.rank(); ++axis) {
    if (borders[axis].before || borders[axis].after)
      array = padded(vm, args, array, axis, borders[axis], mode);
  }
  if (array.storage_ref() == given.storage_ref()) array = rt::copy(session(vm), given, 'K');
  return wrap_array(vm, array);
}

// (a, new_shape): repeated or cut to a size.
Value resize(Interpreter& vm, Args args) {
  rt::Session& state = session(vm);
  const rt::Array row = rt::ravel(state, array_argument(vm, args));
  const rt::Dims shape = to_shape(vm, args[1]);
  const int64_t count = rt::element_count(shape);
  if (row.size() == 0) {
    return wrap_array(vm, rt::full(state, shape, rt::Scalar(false), row.dtype(), row.space()));
  }
  const int64_t times[] = {count / row.size() + (count % row.size() != 0)};
  const int64_t border[] = {count};
  const rt::Array enough = rt::split(rt::tile(state, row, times), border, 0)[0];
  return wrap_array(vm, rt::reshape(state, enough, shape));
}

const Native kFunctions[] = {
    {"pad",
     "(array, pad_width, mode='constant', *, constant_values=0, end_values=0, stat_length=None)",
     pad, "The array with a border."},
    {"resize", "(a, new_shape)", resize, "The elements repeated or cut to fill a shape."},
};

}  // namespace

Family padding_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
