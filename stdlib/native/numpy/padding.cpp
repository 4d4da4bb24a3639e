// Arrays with a border, or with more elements in their midst.
#include <algorithm>

#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/shape.h"
#include "src/array/indexing.h"
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
      vm.raise_value_error("pad_width: one or two ints are expected for an axis (got {})", ends.size());
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
    vm.raise_value_error("operands could not be broadcast together with remapped shapes "
                         "[original->remapped]: ({},2) and requested shape ({},2)",
                         borders.size(), rank);
  }
  return borders;
}

enum class PadMode { constant, edge, reflect, symmetric, wrap };

PadMode to_mode(Interpreter& vm, const Value& value) {
  const std::string_view text = vm.to_text(value, "mode");
  if (text == "constant") return PadMode::constant;
  if (text == "edge") return PadMode::edge;
  if (text == "reflect") return PadMode::reflect;
  if (text == "symmetric") return PadMode::symmetric;
  if (text == "wrap") return PadMode::wrap;
  vm.raise_value_error("mode '{}' is not supported: constant, edge, reflect, symmetric and wrap are", text);
}

// The element that stands at `i`, which may lie outside of an axis.
int64_t source_of(int64_t i, int64_t extent, PadMode mode) {
  if (mode == PadMode::edge) return std::clamp<int64_t>(i, 0, extent - 1);
  if (mode == PadMode::wrap) return ((i % extent) + extent) % extent;
  const int64_t period = mode == PadMode::reflect ? std::max<int64_t>(2 * extent - 2, 1) : 2 * extent;
  const int64_t at = ((i % period) + period) % period;
  if (at < extent) return at;
  return mode == PadMode::reflect ? period - at : period - 1 - at;
}

rt::Array padded_along(Interpreter& vm, const rt::Array& array, int axis, const Border& border, PadMode mode) {
  const int64_t extent = array.shape()[axis];
  if (extent == 0) {
    vm.raise_value_error("can't extend empty axis {} using modes other than 'constant' or 'empty'", axis);
  }
  std::vector<int64_t> at;
  for (int64_t i = -border.before; i < extent + border.after; ++i) at.push_back(source_of(i, extent, mode));
  const rt::Array index = rt::from_host(session(vm), rt::DType::kInt64, {static_cast<int64_t>(at.size())},
                                        at.data(), array.space());
  return rt::take(session(vm), array, index, axis);
}

rt::Array padded_with(Interpreter& vm, const rt::Array& array, const std::vector<Border>& borders,
                      const rt::Scalar& fill) {
  rt::Dims shape = array.shape();
  std::vector<rt::IndexItem> middle;
  for (int axis = 0; axis < array.rank(); ++axis) {
    const Border& border = borders[axis];
    middle.emplace_back(rt::SliceIndex{border.before, border.before + shape[axis], 1});
    shape[axis] += border.before + border.after;
  }
  const rt::Array whole = rt::full(session(vm), shape, fill.cast(array.dtype()), array.dtype(), array.space());
  rt::set_items(session(vm), whole, middle, array);
  return whole;
}

// (array, pad_width, mode, constant_values)
Value pad(Interpreter& vm, Args args) {
  rt::Array array = array_argument(vm, args);
  const std::vector<Border> borders = read_borders(vm, args[1], array.rank());
  const PadMode mode = to_mode(vm, args[2]);
  if (mode == PadMode::constant) {
    const rt::Operand fill = to_operand(vm, args[3], kGp);
    if (fill.is_array()) vm.raise_not_implemented_error("pad: constant_values must be one number");
    return wrap_array(vm, padded_with(vm, array, borders, fill.scalar()));
  }
  for (int axis = 0; axis < array.rank(); ++axis) {
    if (borders[axis].before || borders[axis].after) array = padded_along(vm, array, axis, borders[axis], mode);
  }
  return wrap_array(vm, array);
}

// (arr, obj, values, axis): before one index.
Value insert(Interpreter& vm, Args args) {
  rt::Session& state = session(vm);
  rt::Array array = array_argument(vm, args);
  const auto given = to_axis(vm, args[3]);
  if (!given) array = rt::ravel(state, array);
  const int axis = rt::normalize_axis(given.value_or(0), array.rank());
  if (!vm.has_index(args[1])) vm.raise_not_implemented_error("insert: obj must be one int");
  const int64_t extent = array.shape()[axis];
  int64_t at = vm.to_index(args[1]);
  if (at < -extent || at > extent) {
    vm.raise_index_error("index {} is out of bounds for axis {} with size {}", at, axis, extent);
  }
  if (at < 0) at += extent;
  rt::Array values = to_array(vm, args[2], namespace_or_numpy(args));
  values = rt::astype(state, values, array.dtype(), rt::Casting::kUnsafe, false);
  rt::Dims shape = array.shape();
  const bool line = values.rank() < array.rank() || values.rank() == 0;
  shape[axis] = line ? 1 : values.shape()[axis];
  if (array.rank() == 1) shape[0] = std::max<int64_t>(values.size(), 1);
  const int64_t border[] = {at};
  const std::vector<rt::Array> halves = rt::split(array, border, axis);
  const rt::Array parts[] = {halves[0], rt::broadcast_to(values, shape), halves[1]};
  return wrap_array(vm, rt::concatenate(state, parts, axis));
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
  const int64_t times[] = {(count + row.size() - 1) / row.size()};
  const int64_t border[] = {count};
  const rt::Array enough = rt::split(rt::tile(state, row, times), border, 0)[0];
  return wrap_array(vm, rt::reshape(state, enough, shape));
}

const Native kFunctions[] = {
    {"pad", "(array, pad_width, mode='constant', constant_values=0)", pad, "The array with a border."},
    {"insert", "(arr, obj, values, axis=None)", insert, "A copy with values before an index."},
    {"resize", "(a, new_shape)", resize, "The elements repeated or cut to fill a shape."},
};

}  // namespace

Family padding_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
