// Views with another shape or another order of axes.
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

Value view_of(Interpreter& vm, const Args& args, rt::Array result) {
  return wrap_view(vm, std::move(result), args[0]);
}

// A scalar stays one.
Value view_or_scalar(Interpreter& vm, const Args& args, rt::Array result) {
  return as_generic(args[0]) ? wrap_result(vm, std::move(result))
                             : view_of(vm, args, std::move(result));
}

// (a, shape, order, copy)
Value reshaped(Interpreter& vm, const Args& args, const rt::Dims& shape) {
  const rt::Array array = array_argument(vm, args);
  const char order = to_order(vm, args[2], 'C');
  if (order == 'K') vm.raise_value_error("order 'K' is not permitted for reshaping");
  rt::Array result = rt::reshape(session(vm), array, shape, order);
  if (is_given(args[3])) {
    const bool is_view = result.storage_ref() == array.storage_ref();
    const bool copies = vm.truth(args[3]);
    if (!copies && !is_view) {
      vm.raise_value_error("Unable to avoid creating a copy while reshaping.");
    }
    if (copies && is_view) return wrap_array(vm, rt::copy(session(vm), result, 'K'));
  }
  return view_of(vm, args, std::move(result));
}

Value reshape(Interpreter& vm, Args args) { return reshaped(vm, args, to_dims(vm, args[1])); }

Value reshape_method(Interpreter& vm, Args args) {
  if (args[1].as<Tuple>()->size == 0) {
    vm.raise_type_error("reshape() takes exactly 1 argument (0 given)");
  }
  return reshaped(vm, args, dims_of_rest(vm, args[1]));
}

// Unlike reshape(-1), the elements lie one after another: else they are copied.
Value ravel(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  rt::Array row = rt::ravel(session(vm), array, to_order(vm, args[1], 'C'));
  if (!rt::is_c_contiguous(row.layout())) return wrap_array(vm, rt::copy(session(vm), row, 'C'));
  return view_of(vm, args, std::move(row));
}

Value flatten(Interpreter& vm, Args args) {
  return wrap_array(vm,
                    rt::flatten(session(vm), array_argument(vm, args), to_order(vm, args[1], 'C')));
}

Value transpose(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  if (!is_given(args[1])) return view_or_scalar(vm, args, rt::transpose(array));
  return view_or_scalar(vm, args, rt::transpose(array, to_ints(vm, args[1])));
}

Value transpose_method(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  Tuple& axes = *args[1].as<Tuple>();
  const bool reversed = axes.size == 0 || (axes.size == 1 && axes[0].is_none());
  if (reversed) return view_or_scalar(vm, args, rt::transpose(array));
  return view_or_scalar(vm, args, rt::transpose(array, dims_of_rest(vm, args[1])));
}

// AxisError that names the argument: "axis2: axis 5 is out of bounds ...".
void check_axis(Interpreter& vm, int64_t axis, int rank, std::string_view argument) {
  if (axis >= -rank && axis < rank) return;
  vm.raise(
      arrays(vm).axis_error,
      fmt::format("{}: axis {} is out of bounds for array of dimension {}", argument, axis, rank));
}

Value swapaxes(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  const int64_t a = vm.to_index(args[1]), b = vm.to_index(args[2]);
  check_axis(vm, a, array.rank(), "axis1");
  check_axis(vm, b, array.rank(), "axis2");
  return view_of(vm, args, rt::swap_axes(array, a, b));
}

Value moveaxis(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  const std::vector<int64_t> from = to_ints(vm, args[1]), to = to_ints(vm, args[2]);
  for (int64_t axis : from) check_axis(vm, axis, array.rank(), "source");
  for (int64_t axis : to) check_axis(vm, axis, array.rank(), "destination");
  return view_of(vm, args, rt::move_axes(array, from, to));
}

Value rollaxis(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  const int64_t axis = rt::normalize_axis(vm.to_index(args[1]), array.rank());
  int64_t start = vm.to_index(args[2]);
  if (start < 0) start += array.rank();
  if (start > axis) --start;
  const int64_t from[] = {axis};
  const int64_t to[] = {start};
  return view_of(vm, args, rt::move_axes(array, from, to));
}

Value squeeze(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  const auto axes = to_axes(vm, args[1]);
  return view_or_scalar(vm, args, axes ? rt::squeeze(array, *axes) : rt::squeeze(array));
}

Value expand_dims(Interpreter& vm, Args args) {
  return view_of(vm, args, rt::expand_dims(array_argument(vm, args), to_ints(vm, args[1])));
}

Value broadcast_to(Interpreter& vm, Args args) {
  return view_of(vm, args, rt::broadcast_to(array_argument(vm, args), to_shape(vm, args[1])));
}

Value broadcast_arrays(Interpreter& vm, Args args) {
  std::vector<rt::Array> arrays = array_list(vm, args[0], namespace_or_numpy(args));
  std::vector<std::span<const int64_t>> shapes;
  for (const rt::Array& array : arrays) shapes.push_back(array.shape());
  const rt::Dims shape = rt::broadcast_shapes(shapes);
  for (rt::Array& array : arrays) array = rt::broadcast_to(array, shape);
  return wrap_list(vm, arrays, true);
}

Value broadcast_shapes(Interpreter& vm, Args args) {
  std::vector<rt::Dims> shapes;
  for (const Value& item : args[0].as<Tuple>()->items()) shapes.push_back(to_dims(vm, item));
  std::vector<std::span<const int64_t>> spans(shapes.begin(), shapes.end());
  return shape_tuple(vm, rt::broadcast_shapes(spans));
}

template <int kRank> Value at_least(Interpreter& vm, Args args) {
  std::vector<Value> results;
  const Namespace& names = namespace_or_numpy(args);
  for (const Value& item : args[0].as<Tuple>()->items()) {
    rt::Array array = to_array(vm, item, names);
    std::vector<int64_t> axes;
    if (array.rank() == 0) {
      for (int i = 0; i < kRank; ++i) axes.push_back(i);
    } else {
      if (array.rank() == 1 && kRank >= 2) axes.push_back(0);
      if (array.rank() <= 2 && kRank == 3) axes.push_back(2);
    }
    results.push_back(axes.empty() && as_ndarray(item)
                          ? item
                          : wrap_view(vm, rt::expand_dims(array, axes), item));
  }
  return results.size() == 1 ? results[0] : vm.tuple(results);
}

Value diagonal(Interpreter& vm, Args args) {
  return view_of(vm, args,
                 rt::diagonal(array_argument(vm, args), vm.to_index(args[1]), vm.to_index(args[2]),
                              vm.to_index(args[3])));
}

Value shape(Interpreter& vm, Args args) {
  return shape_tuple(vm, array_argument(vm, args).shape());
}

Value ndim(Interpreter& vm, Args args) { return Value::integer(array_argument(vm, args).rank()); }

Value size(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  const auto axes = to_axes(vm, args[1]);
  if (!axes) return Value::integer(array.size());
  int64_t count = 1;
  for (int64_t axis : *axes) count *= array.shape()[rt::normalize_axis(axis, array.rank())];
  return Value::integer(count);
}

const Native kFunctions[] = {
    {"reshape", "(a, shape, order='C', *, copy=None)", reshape, "The elements in another shape."},
    {"ravel", "(a, order='C')", ravel, "The elements one after another; a view where it can be."},
    {"transpose", "(a, axes=None)", transpose, "The axes reversed or in the order given; a view."},
    {"permute_dims", "(a, axes=None)", transpose, "As transpose."},
    {"matrix_transpose", "(x, /)",
     [](Interpreter& vm, Args args) {
       return view_of(vm, args, rt::swap_axes(array_argument(vm, args), -1, -2));
     },
     "The last two axes swapped; a view."},
    {"swapaxes", "(a, axis1, axis2)", swapaxes, "Two axes swapped; a view."},
    {"moveaxis", "(a, source, destination)", moveaxis, "Axes moved to new places; a view."},
    {"rollaxis", "(a, axis, start=0)", rollaxis, "An axis moved before another; a view."},
    {"squeeze", "(a, axis=None)", squeeze, "Without the axes of one element; a view."},
    {"expand_dims", "(a, axis)", expand_dims, "With new axes of one element; a view."},
    {"broadcast_to", "(array, shape, subok=False)", broadcast_to,
     "Repeated into a shape, without a copy; read-only."},
    {"broadcast_arrays", "(*args, subok=False)", broadcast_arrays, "Arrays seen with one shape."},
    {"broadcast_shapes", "(*args)", broadcast_shapes, "The shape that shapes broadcast to."},
    {"atleast_1d", "(*arys)", at_least<1>, "With one axis at least."},
    {"atleast_2d", "(*arys)", at_least<2>, "With two axes at least."},
    {"atleast_3d", "(*arys)", at_least<3>, "With three axes at least."},
    {"diagonal", "(a, offset=0, axis1=0, axis2=1)", diagonal, "A diagonal; a read-only view."},
    {"shape", "(a)", shape, "The extents."},
    {"ndim", "(a)", ndim, "How many axes."},
    {"size", "(a, axis=None)", size, "How many elements, or how many along axes."},
};

const Native kMethods[] = {
    {"reshape", "(self, /, *shape, order='C', copy=None)", reshape_method,
     "The elements in another shape."},
    {"ravel", "(self, /, order='C')", ravel,
     "The elements one after another; a view where it can be."},
    {"flatten", "(self, /, order='C')", flatten, "A copy of the elements, one after another."},
    {"transpose", "(self, /, *axes)", transpose_method,
     "The axes reversed or in the order given; a view."},
    {"swapaxes", "(self, axis1, axis2, /)", swapaxes, "Two axes swapped; a view."},
    {"squeeze", "(self, /, axis=None)", squeeze, "Without the axes of one element; a view."},
    {"diagonal", "(self, /, offset=0, axis1=0, axis2=1)", diagonal,
     "A diagonal; a read-only view."},
};

}  // namespace

Family shape_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
