// Running sums and products, and differences.
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// (a, axis, dtype, out)
template <const char* kName>
Value scanned(Interpreter& vm, const Args& args, const rt::Array& array) {
  const Ndarray* out = to_out(vm, args[3]);
  rt::Array result = rt::accumulate(session(vm), kName, array, to_axis(vm, args[1]),
                                    to_optional_dtype(vm, args[2]), out ? &out->array : nullptr);
  return out ? args[3] : wrap_array(vm, std::move(result));
}

template <const char* kName> Value scan(Interpreter& vm, Args args) {
  return scanned<kName>(vm, args, array_argument(vm, args));
}

// As scan, with nan taken for `kFill`.
template <const char* kName, int kFill> Value nan_scan(Interpreter& vm, Args args) {
  rt::Array array = array_argument(vm, args);
  if (rt::is_inexact(array.dtype())) {
    array =
        apply(vm, "where", {apply(vm, "isnan", {array}), rt::Scalar::weak(int64_t{kFill}), array});
  }
  return scanned<kName>(vm, args, array);
}

// The array without its first (or last) element along an axis.
rt::Array trimmed(const rt::Array& array, int axis, bool first) {
  const int64_t at[] = {first ? 1 : array.shape()[axis] - 1};
  return rt::split(array, at, axis)[first ? 1 : 0];
}

// What goes before or after an array along an axis: a number is one layer.
rt::Array layer(Interpreter& vm, const Args& args, size_t i, const rt::Array& array, int axis) {
  const rt::Array given = to_array(vm, args[i], namespace_or_numpy(args));
  if (given.rank() > 0) return given;
  rt::Dims shape = array.shape();
  shape[axis] = 1;
  return rt::broadcast_to(given, shape);
}

// (a, n, axis, prepend, append)
Value diff(Interpreter& vm, Args args) {
  rt::Array array = array_argument(vm, args);
  const int64_t n = vm.to_index(args[1]);
  if (n == 0) return wrap_array(vm, array);
  if (n < 0) vm.raise_value_error("order must be non-negative but got {}", n);
  if (array.rank() == 0) {
    vm.raise_value_error("diff requires input that is at least one dimensional");
  }
  const int axis = rt::normalize_axis(vm.to_index(args[2]), array.rank());
  std::vector<rt::Array> parts = {array};
  if (is_given(args[3])) parts.insert(parts.begin(), layer(vm, args, 3, array, axis));
  if (is_given(args[4])) parts.push_back(layer(vm, args, 4, array, axis));
  if (parts.size() > 1) array = rt::concatenate(session(vm), parts, axis);
  const char* op = array.dtype() == rt::DType::kBool ? "not_equal" : "subtract";
  for (int64_t i = 0; i < n && array.shape()[axis] > 0; ++i) {
    array = apply(vm, op, {trimmed(array, axis, true), trimmed(array, axis, false)});
  }
  return wrap_array(vm, array);
}

Value ediff1d(Interpreter& vm, Args args) {
  const rt::Array row = rt::ravel(session(vm), array_argument(vm, args));
  if (row.size() == 0) return wrap_array(vm, row);
  return wrap_array(vm, apply(vm, "subtract", {trimmed(row, 0, true), trimmed(row, 0, false)}));
}

// The trapezoidal rule along an axis.
Value trapezoid(Interpreter& vm, Args args) {
  const rt::Array y = array_argument(vm, args);
  const int axis = rt::normalize_axis(vm.to_index(args[3]), y.rank());
  const rt::Array sums = apply(vm, "add", {trimmed(y, axis, true), trimmed(y, axis, false)});
  rt::Operand steps = rt::Scalar::weak(1.0);
  if (is_given(args[1])) {
    const rt::Array x = to_array(vm, args[1], namespace_or_numpy(args));
    const int along = x.rank() == 1 ? 0 : axis;
    rt::Array widths = apply(vm, "subtract", {trimmed(x, along, true), trimmed(x, along, false)});
    rt::Dims shape(y.rank(), 1);
    shape[axis] = widths.size();
    if (x.rank() == 1) widths = rt::reshape(session(vm), widths, shape);
    steps = widths;
  } else {
    steps = to_operand(vm, args[2], namespace_or_numpy(args));
  }
  const rt::Array areas =
      apply(vm, "divide", {apply(vm, "multiply", {steps, sums}), rt::Scalar::weak(2.0)});
  rt::ReduceOptions options;
  options.axes = std::vector<int64_t>{axis};
  return wrap_result(vm, rt::reduce(session(vm), "add", areas, options));
}

constexpr char kAdd[] = "add";
constexpr char kMultiply[] = "multiply";
constexpr const char* kSignature = "(a, axis=None, dtype=None, out=None)";
constexpr const char* kMethodSignature = "(self, axis=None, dtype=None, out=None)";

const Native kFunctions[] = {
    {"cumsum", kSignature, scan<kAdd>, "Running sums along an axis."},
    {"cumprod", kSignature, scan<kMultiply>, "Running products along an axis."},
    {"nancumsum", kSignature, nan_scan<kAdd, 0>, "Running sums, nan taken as 0."},
    {"nancumprod", kSignature, nan_scan<kMultiply, 1>, "Running products, nan taken as 1."},
    {"diff", "(a, n=1, axis=-1, prepend=<no value>, append=<no value>)", diff,
     "Differences of neighbours, n times."},
    {"ediff1d", "(ary)", ediff1d, "Differences of neighbours of the flattened array."},
    {"trapezoid", "(y, x=None, dx=1.0, axis=-1)", trapezoid,
     "The integral by the trapezoidal rule."},
};
const Native kMethods[] = {
    {"cumsum", kMethodSignature, scan<kAdd>, "Running sums along an axis."},
    {"cumprod", kMethodSignature, scan<kMultiply>, "Running products along an axis."},
};

}  // namespace

Family scan_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
