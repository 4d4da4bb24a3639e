// Repeating, reversing and shifting elements.
#include <algorithm>

#include "runtime/graph/read_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/shape.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/int64_argument.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

std::vector<int64_t> all_axes(int rank) {
  std::vector<int64_t> axes(static_cast<size_t>(rank));
  for (int i = 0; i < rank; ++i) axes[i] = i;
  return axes;
}

// An int of any size, modulo `extent`.
int64_t turned(Interpreter& vm, const Value& shift, int64_t extent) {
  const Value exact = vm.to_index_value(shift);
  return vm.to_index(vm.binary(BinaryOp::remainder, exact, Value::integer(extent)));
}

Value tile(Interpreter& vm, const rt::Array& array, const std::vector<int64_t>& counts) {
  return wrap_array(vm, rt::tile(session(vm), array, counts));
}

// The number of times that each element is repeated.
std::vector<int64_t> read_counts(Interpreter& vm, const Value& value) {
  const rt::Array counts = int64_argument(vm, value, rt::Space::host(), rt::Casting::kSafe);
  if (counts.rank() > 1) vm.raise_value_error("object too deep for desired array");
  const rt::Array dense = rt::copy(session(vm), counts, 'C');
  const rt::HostRead read(session(vm), dense);
  const auto* first = reinterpret_cast<const int64_t*>(read.data());
  return {first, first + dense.size()};
}

Value repeat(Interpreter& vm, rt::Array array, const Value& repeats, Axis axis) {
  if (!axis || array.rank() == 0) {
    if (axis) rt::normalize_axis(*axis, 1);  // a number counts as one element here
    array = rt::ravel(session(vm), array);
  }
  const std::vector<int64_t> counts = read_counts(vm, repeats);
  return wrap_array(vm, rt::repeat(session(vm), array, counts, axis.value_or(0)));
}

Value flip(Interpreter& vm, const Args& call, const rt::Array& array, const AxisList& axes) {
  if (array.rank() == 0 && !axes) return wrap_result(vm, array);
  return wrap_view(vm, rt::flip(array, axes ? *axes : all_axes(array.rank())), call[0]);
}

// One shift for all axes, or one an axis.
std::vector<Value> read_shifts(Interpreter& vm, const Value& shift) {
  const Ndarray* array = as_ndarray(shift);
  if (array ? array->array.rank() == 0 : vm.has_index(shift)) return {shift};
  return vm.collect(shift);
}

// Rolls all elements as one row.
rt::Array rolled_flat(Interpreter& vm, const rt::Array& array, std::span<const Value> shifts) {
  rt::Session& state = session(vm);
  const int64_t extent = std::max<int64_t>(array.size(), 1);
  int64_t total = 0;
  for (const Value& shift : shifts) total = (total + turned(vm, shift, extent)) % extent;
  const rt::Array rolled = rt::roll(state, rt::ravel(state, array), total, 0);
  return rt::reshape(state, rolled, array.shape());
}

rt::Array rolled_along(Interpreter& vm, const rt::Array& array, std::span<const Value> shifts,
                       std::span<const int64_t> axes) {
  const size_t count = std::max(shifts.size(), axes.size());
  if ((shifts.size() != count && shifts.size() != 1) ||
      (axes.size() != count && axes.size() != 1)) {
    vm.raise_value_error("'shift' and 'axis' should be scalars or 1D sequences");
  }
  rt::Array rolled = array;
  for (size_t i = 0; i < count; ++i) {
    const int axis = rt::normalize_axis(axes[axes.size() == 1 ? 0 : i], array.rank());
    const int64_t extent = std::max<int64_t>(array.shape()[axis], 1);
    const Value& shift = shifts[shifts.size() == 1 ? 0 : i];
    rolled = rt::roll(session(vm), rolled, turned(vm, shift, extent), axis);
  }
  return rolled;
}

Value roll(Interpreter& vm, const rt::Array& array, const Value& shift, const Value& axis) {
  const std::vector<Value> shifts = read_shifts(vm, shift);
  const auto axes = to_axis_list(vm, axis);
  return wrap_array(vm,
                    axes ? rolled_along(vm, array, shifts, *axes) : rolled_flat(vm, array, shifts));
}

// --- matrices from vectors, triangles ------------------------------------------------------------

rt::Array matrix_of_diagonal(Interpreter& vm, const rt::Array& vector, int64_t k) {
  rt::Session& state = session(vm);
  const auto offset = static_cast<__int128>(k);
  const __int128 wanted = vector.size() + (k < 0 ? -offset : offset);
  if (wanted > INT64_MAX) vm.raise_value_error("Maximum allowed dimension exceeded");
  const auto size = static_cast<int64_t>(wanted);
  const rt::Array matrix =
      rt::full(state, {size, size}, rt::Scalar(false), vector.dtype(), vector.space());
  // The diagonal is every (size + 1)th element of the rows one after another.
  const rt::Array row = rt::ravel(state, matrix);
  const int64_t start = k >= 0 ? k : -k * size;
  const rt::SliceIndex along{start, start + vector.size() * (size + 1), size + 1};
  if (vector.size() > 0) rt::set_items(state, row, std::vector<rt::IndexItem>{along}, vector);
  return matrix;
}

Value diag(Interpreter& vm, const Args& call, const rt::Array& array, int64_t k) {
  if (array.rank() == 1) return wrap_array(vm, matrix_of_diagonal(vm, array, k));
  if (array.rank() == 2) return wrap_view(vm, rt::diagonal(array, k, 0, 1), call[0]);
  vm.raise_value_error("Input must be 1- or 2-d.");
}

Value diagflat(Interpreter& vm, const rt::Array& array, int64_t k) {
  return wrap_array(vm, matrix_of_diagonal(vm, rt::ravel(session(vm), array), k));
}

// NumPy counts the columns from -k, which overflows here.
[[noreturn]] void refuse_diagonal(Interpreter& vm) {
  vm.raise_overflow_error("Python int too large to convert to C long");
}

// A mask that is true on and below the k-th diagonal.
rt::Array triangle(Interpreter& vm, int64_t rows, int64_t cols, int64_t k, rt::Space space) {
  if (k < std::max<int64_t>(cols, 0) - INT64_MAX) refuse_diagonal(vm);
  k = std::min(k, std::max<int64_t>(cols, 0));  // a larger k changes nothing
  rt::Session& state = session(vm);
  const int64_t last[] = {1};
  const rt::Array row = rt::expand_dims(rt::iota(state, {rows}, space), last);
  const rt::Array col = rt::iota(state, {cols}, space);
  const rt::Array border = ops::add(vm, row, rt::Scalar::weak(k));
  return ops::greater_equal(vm, border, col);
}

Value tri(Interpreter& vm, const Namespace& names, int64_t rows, std::optional<int64_t> cols,
          int64_t k, const Value& dtype, Like) {
  const rt::Space space = names.space(session(vm));
  const rt::Array below = triangle(vm, rows, cols.value_or(rows), k, space);
  return wrap_array(vm, rt::astype(session(vm), below, to_dtype(vm, dtype)));
}

rt::Array half(Interpreter& vm, const rt::Array& array, int64_t k, bool lower) {
  if (array.rank() < 1) vm.raise_type_error("the array must have at least one axis");
  const int64_t cols = array.shape().back();
  const int64_t rows = array.rank() > 1 ? array.shape()[array.rank() - 2] : cols;
  if (!lower && k == INT64_MIN) refuse_diagonal(vm);
  const rt::Array below = triangle(vm, rows, cols, lower ? k : k - 1, array.space());
  const rt::Scalar zero = rt::Scalar::of(array.dtype(), int64_t{0});
  return lower ? ops::where(vm, below, array, zero) : ops::where(vm, below, zero, array);
}

Value tril(Interpreter& vm, const rt::Array& array, int64_t k) {
  return wrap_array(vm, half(vm, array, k, true));
}

Value triu(Interpreter& vm, const rt::Array& array, int64_t k) {
  return wrap_array(vm, half(vm, array, k, false));
}

const Native kFunctions[] = {
    {"tile", "(A, reps)", typed<tile>, "The array repeated along each axis."},
    {"repeat", "(a, repeats, axis=None)", typed<repeat>, "Each element repeated."},
    {"flip", "(m, axis=None)", typed<flip>, "Elements in reverse along axes; a view."},
    {"roll", "(a, shift, axis=None)", typed<roll>,
     "Elements moved along, those past the end to the front."},
    {"diag", "(v, k=0)", typed<diag>, "A diagonal of a matrix, or the matrix with a vector on it."},
    {"diagflat", "(v, k=0)", typed<diagflat>, "The matrix with all elements on a diagonal."},
    {"tri", "(N, M=None, k=0, dtype=None, *, like=None)", typed<tri>, "1 on and below a diagonal."},
    {"tril", "(m, k=0)", typed<tril>, "A copy with 0 above a diagonal."},
    {"triu", "(m, k=0)", typed<triu>, "A copy with 0 below a diagonal."},
};
const Native kMethods[] = {
    {"repeat", "(self, repeats, axis=None)", typed<repeat>, "Each element repeated."},
};

}  // namespace

Family rearrange_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
