#include "stdlib/native/numpy/grid.h"

#include <cmath>

#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/shape.h"
#include "src/array/convert.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

namespace {

struct Grid : Object {
  static constexpr ObjectLayout kLayout = kGridLayout;
  Grid(Type* type, const Namespace& names, bool sparse)
      : Object(type), names(names), sparse(sparse) {}
  const Namespace& names;
  bool sparse;
};

struct Axis {
  double start = 0, step = 1;
  int64_t count = 0;
  bool floating = false;
};

double bound(Interpreter& vm, const Value& value, double otherwise, bool& floating) {
  if (value.is_none()) return otherwise;
  floating |= !vm.has_index(value);
  return vm.to_real(value);
}

// How many points an imaginary step asks for.
std::optional<int64_t> point_count(Interpreter& vm, const Value& step) {
  const auto number = try_number(vm, step);
  if (!number || !rt::is_complex(number->dtype())) return std::nullopt;
  return static_cast<int64_t>(std::abs(number->as_complex()));
}

// start:stop:step, where a step of 5j asks for five points with stop among them.
Axis read_axis(Interpreter& vm, const Value& key) {
  const Slice* slice = key.try_as<Slice>();
  if (!slice) vm.raise_type_error("a grid is indexed by slices, not '{}'", vm.type_name(key));
  Axis axis;
  axis.start = bound(vm, slice->start, 0, axis.floating);
  const double stop = bound(vm, slice->stop, 0, axis.floating);
  if (const auto points = point_count(vm, slice->step)) {
    axis.count = *points;
    axis.floating = true;
    if (axis.count > 1) axis.step = (stop - axis.start) / static_cast<double>(axis.count - 1);
    return axis;
  }
  axis.step = bound(vm, slice->step, 1, axis.floating);
  if (axis.step == 0) vm.raise(vm.types.zero_division_error, "division by zero");
  axis.count =
      std::max<int64_t>(0, static_cast<int64_t>(std::ceil((stop - axis.start) / axis.step)));
  return axis;
}

rt::Array points_of(Interpreter& vm, const Axis& axis, bool floating, rt::Space space) {
  rt::Session& state = session(vm);
  const rt::Array index = rt::iota(state, {axis.count}, space);
  if (!floating) {
    const auto step = rt::Scalar::weak(static_cast<int64_t>(axis.step));
    const auto start = rt::Scalar::weak(static_cast<int64_t>(axis.start));
    return rt::ops::add(state, rt::ops::multiply(state, index, step), start);
  }
  const rt::Array steps = rt::ops::multiply(state, index, rt::Scalar::weak(axis.step));
  return rt::ops::add(state, steps, rt::Scalar::weak(axis.start));
}

Value grid_getitem(Interpreter& vm, const Value& self, const Value& key) {
  const Grid& grid = *self.as<Grid>();
  const rt::Space space = grid.names.space(session(vm));
  Tuple* tuple = key.try_as<Tuple>();
  if (!tuple) {
    const Axis axis = read_axis(vm, key);
    return wrap_array(vm, points_of(vm, axis, axis.floating, space));
  }
  std::vector<Axis> axes;
  bool floating = false;
  for (const Value& item : tuple->items()) {
    axes.push_back(read_axis(vm, item));
    floating |= axes.back().floating;
  }
  rt::Dims shape;
  for (const Axis& axis : axes) shape.push_back(axis.count);
  std::vector<rt::Array> grids;
  for (int i = 0; i < shape.size(); ++i) {
    rt::Dims along(shape.size(), 1);
    along[i] = shape[i];
    const rt::Array points = points_of(vm, axes[i], floating, space);
    const rt::Array seen = rt::reshape(session(vm), points, along);
    grids.push_back(grid.sparse ? seen : rt::broadcast_to(seen, shape));
  }
  if (!grid.sparse) return wrap_array(vm, rt::stack(session(vm), grids, 0));
  std::vector<Value> values;
  for (const rt::Array& array : grids) values.push_back(wrap_array(vm, array));
  return vm.tuple(values);
}

}  // namespace

Value make_grid(Interpreter& vm, const Namespace& names, bool sparse) {
  Type* type = vm.make_type<Grid>({.name = sparse ? "ogrid" : "mgrid",
                                   .module = "numpy",
                                   .doc = "Coordinates of a grid: mgrid[0:3, 0:2].",
                                   .slots = {.getitem = grid_getitem}});
  return vm.make<Grid>(type, names, sparse);
}

}  // namespace gpy::lib
