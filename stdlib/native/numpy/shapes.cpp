// Views with another shape or another order of axes.
#include "runtime/core/error.h"
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "src/array/errors.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// The result as a view of the call's first argument, which owns the memory.
Value view_of(Interpreter& vm, const Args& call, rt::Array result) {
  return wrap_view(vm, std::move(result), call[0]);
}

// The result as a view, or as a scalar where the argument is one.
Value view_or_scalar(Interpreter& vm, const Args& call, rt::Array result) {
  return as_generic(call[0]) ? wrap_result(vm, std::move(result))
                             : view_of(vm, call, std::move(result));
}

// The shape is read before the array.
Value reshape(Interpreter& vm, const Namespace& names, const Value& whole, const rt::Dims& shape,
              const Value& order, const Value& copy) {
  const rt::Array array = to_array(vm, whole, names);
  const char by = to_order(vm, order, 'C');
  if (by == 'K') vm.raise_value_error("order 'K' is not permitted for reshaping");
  rt::Array result = rt::reshape(session(vm), array, shape, by);
  if (is_given(copy)) {
    const bool is_view = result.storage_ref() == array.storage_ref();
    const bool copies = copy_flag(vm, copy);
    if (!copies && !is_view) {
      vm.raise_value_error("Unable to avoid creating a copy while reshaping.");
    }
    if (copies && is_view) return wrap_array(vm, rt::copy(session(vm), result, 'K'));
  }
  return wrap_view(vm, std::move(result), whole);
}

Value reshape_method(Interpreter& vm, const Value& self, const Value& shape, const Value& order,
                     const Value& copy) {
  if (shape.as<Tuple>()->size == 0) {
    vm.raise_type_error("reshape() takes exactly 1 argument (0 given)");
  }
  return reshape(vm, kNumpy, self, dims_of_rest(vm, shape), order, copy);
}

// Unlike for reshape(-1), the elements must be contiguous, or they are copied.
Value ravel(Interpreter& vm, const Args& call, const rt::Array& array, const Value& order) {
  rt::Array row = rt::ravel(session(vm), array, to_order(vm, order, 'C'));
  if (!rt::is_c_contiguous(row.layout())) return wrap_array(vm, rt::copy(session(vm), row, 'C'));
  return view_of(vm, call, std::move(row));
}

Value flatten(Interpreter& vm, const rt::Array& array, const Value& order) {
  return wrap_array(vm, rt::flatten(session(vm), array, to_order(vm, order, 'C')));
}

Value transpose(Interpreter& vm, const Args& call, const rt::Array& array,
                const std::optional<std::vector<int64_t>>& axes) {
  return view_or_scalar(vm, call, axes ? rt::transpose(array, *axes) : rt::transpose(array));
}

Value transpose_method(Interpreter& vm, const Args& call, const rt::Array& array,
                       const Value& rest) {
  Tuple& axes = *rest.as<Tuple>();
  const bool reversed = axes.size == 0 || (axes.size == 1 && axes[0].is_none());
  if (reversed) return view_or_scalar(vm, call, rt::transpose(array));
  return view_or_scalar(vm, call, rt::transpose(array, dims_of_rest(vm, rest)));
}

Value matrix_transpose(Interpreter& vm, const Args& call, const rt::Array& array) {
  if (array.rank() < 2) {
    vm.raise_value_error("Input array must be at least 2-dimensional, but it is {}", array.rank());
  }
  return view_of(vm, call, rt::swap_axes(array, -1, -2));
}

// AxisError that names the argument: "axis2: axis 5 is out of bounds ...".
void check_axis(Interpreter& vm, int64_t axis, int rank, std::string_view argument) {
  if (axis >= -rank && axis < rank) return;
  raise_axis_error(vm, axis, rank, argument);
}

Value swapaxes(Interpreter& vm, const Args& call, const rt::Array& array, int64_t a, int64_t b) {
  check_axis(vm, a, array.rank(), "axis1");
  check_axis(vm, b, array.rank(), "axis2");
  return view_of(vm, call, rt::swap_axes(array, a, b));
}

Value moveaxis(Interpreter& vm, const Args& call, const rt::Array& array,
               const std::vector<int64_t>& from, const std::vector<int64_t>& to) {
  for (int64_t axis : from) check_axis(vm, axis, array.rank(), "source");
  for (int64_t axis : to) check_axis(vm, axis, array.rank(), "destination");
  return view_of(vm, call, rt::move_axes(array, from, to));
}

// The axis is checked before `start` is read.
Value rollaxis(Interpreter& vm, const Args& call, const rt::Array& array, int64_t axis,
               const Value& start) {
  const int64_t from[] = {rt::normalize_axis(axis, array.rank())};
  int64_t to[] = {vm.to_index(start)};
  if (to[0] < 0) to[0] += array.rank();
  if (to[0] < 0 || to[0] > array.rank()) {
    rt::fail(rt::ErrorKind::kAxis, "'start' arg requires {} <= start < {}, but {} was passed in",
             -array.rank(), array.rank() + 1, to[0]);
  }
  if (to[0] > from[0]) --to[0];
  return view_of(vm, call, rt::move_axes(array, from, to));
}

Value squeeze(Interpreter& vm, const Args& call, const rt::Array& array, const Axes& axes) {
  if (axes && array.rank() == 0 && axes->size() == 1) {
    rt::normalize_axis((*axes)[0], 1);  // a number counts as one element here
    return view_or_scalar(vm, call, array);
  }
  return view_or_scalar(vm, call, axes ? rt::squeeze(array, *axes) : rt::squeeze(array));
}

Value expand_dims(Interpreter& vm, const Args& call, const rt::Array& array,
                  const std::vector<int64_t>& axes) {
  return view_of(vm, call, rt::expand_dims(array, axes));
}

Value broadcast_to(Interpreter& vm, const Args& call, const rt::Array& array, const Shape& shape,
                   const Value&) {
  return view_of(vm, call, rt::broadcast_to(array, shape));
}

Value broadcast_arrays(Interpreter& vm, const Namespace& names, const Value& items, const Value&) {
  std::vector<rt::Array> arrays = array_list(vm, items, names);
  std::vector<std::span<const int64_t>> shapes;
  for (const rt::Array& array : arrays) shapes.push_back(array.shape());
  const rt::Dims shape = rt::broadcast_shapes(shapes);
  for (rt::Array& array : arrays) array = rt::broadcast_to(array, shape);
  return wrap_list(vm, arrays, true);
}

Value broadcast_shapes(Interpreter& vm, std::span<const Value> items) {
  std::vector<rt::Dims> shapes;
  for (const Value& item : items) shapes.push_back(to_shape(vm, item));
  std::vector<std::span<const int64_t>> spans(shapes.begin(), shapes.end());
  return shape_tuple(vm, rt::broadcast_shapes(spans));
}

template <int kRank>
Value at_least(Interpreter& vm, const Namespace& names, std::span<const Value> items) {
  std::vector<Value> results;
  for (const Value& item : items) {
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

Value diagonal(Interpreter& vm, const Args& call, const rt::Array& array, int64_t offset,
               int64_t axis1, int64_t axis2) {
  return view_of(vm, call, rt::diagonal(array, offset, axis1, axis2));
}

Value shape(Interpreter& vm, const rt::Array& array) { return shape_tuple(vm, array.shape()); }

Value ndim(Interpreter&, const rt::Array& array) { return Value::integer(array.rank()); }

Value size(Interpreter& vm, const rt::Array& array, const AxisList& axes) {
  if (!axes) return Value::integer(array.size());
  rt::Dims left = array.shape();
  int64_t count = 1;
  for (int64_t axis : *axes) {
    int64_t& extent = left[rt::normalize_axis(axis, array.rank())];
    if (extent < 0) vm.raise_value_error("repeated axis");
    count *= std::exchange(extent, -1);
  }
  return Value::integer(count);
}

const Native kFunctions[] = {
    {"reshape", "(a, shape, order='C', *, copy=None)", typed<reshape>,
     "The elements in another shape."},
    {"ravel", "(a, order='C')", typed<ravel>,
     "The elements one after another; a view where it can be."},
    {"transpose", "(a, axes=None)", typed<transpose>,
     "The axes reversed or in the order given; a view."},
    {"matrix_transpose", "(x, /)", typed<matrix_transpose>, "The last two axes swapped; a view."},
    {"swapaxes", "(a, axis1, axis2)", typed<swapaxes>, "Two axes swapped; a view."},
    {"moveaxis", "(a, source, destination)", typed<moveaxis>, "Axes moved to new places; a view."},
    {"rollaxis", "(a, axis, start=0)", typed<rollaxis>, "An axis moved before another; a view."},
    {"squeeze", "(a, axis=None)", typed<squeeze>, "Without the axes of one element; a view."},
    {"expand_dims", "(a, axis)", typed<expand_dims>, "With new axes of one element; a view."},
    {"broadcast_to", "(array, shape, subok=False)", typed<broadcast_to>,
     "Repeated into a shape, without a copy; read-only."},
    {"broadcast_arrays", "(*args, subok=False)", typed<broadcast_arrays>,
     "Arrays seen with one shape."},
    {"broadcast_shapes", "(*args)", typed<broadcast_shapes>, "The shape that shapes broadcast to."},
    {"atleast_1d", "(*arys)", typed<at_least<1>>, "With one axis at least."},
    {"atleast_2d", "(*arys)", typed<at_least<2>>, "With two axes at least."},
    {"atleast_3d", "(*arys)", typed<at_least<3>>, "With three axes at least."},
    {"diagonal", "(a, offset=0, axis1=0, axis2=1)", typed<diagonal>,
     "A diagonal; a read-only view."},
    {"shape", "(a)", typed<shape>, "The extents."},
    {"ndim", "(a)", typed<ndim>, "How many axes."},
    {"size", "(a, axis=None)", typed<size>, "How many elements, or how many along axes."},
};

const Native kMethods[] = {
    {"reshape", "(self, /, *shape, order='C', copy=None)", typed<reshape_method>,
     "The elements in another shape."},
    {"ravel", "(self, /, order='C')", typed<ravel>,
     "The elements one after another; a view where it can be."},
    {"flatten", "(self, /, order='C')", typed<flatten>,
     "A copy of the elements, one after another."},
    {"transpose", "(self, /, *axes)", typed<transpose_method>,
     "The axes reversed or in the order given; a view."},
    {"swapaxes", "(self, axis1, axis2, /)", typed<swapaxes>, "Two axes swapped; a view."},
    {"squeeze", "(self, /, axis=None)", typed<squeeze>, "Without the axes of one element; a view."},
    {"diagonal", "(self, /, offset=0, axis1=0, axis2=1)", typed<diagonal>,
     "A diagonal; a read-only view."},
};

}  // namespace

Family shape_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
