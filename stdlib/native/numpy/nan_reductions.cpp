// Reductions that ignore nan.
#include <cmath>
#include <complex>

#include "runtime/ops/create.h"
#include "src/array/errors.h"
#include "stdlib/native/numpy/reduce_call.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

rt::Array filled(Interpreter& vm, const rt::Array& array, double fill) {
  if (!rt::is_inexact(array.dtype())) return array;
  return ops::where(vm, ops::isnan(vm, array), rt::Scalar::weak(fill), array);
}

// The number of elements that are not nan, in the shape of the result.
rt::Array count_numbers(Interpreter& vm, const rt::Array& array, rt::ReduceOptions options) {
  options.dtype = rt::DType::kInt64;
  options.out = nullptr;
  if (!rt::is_inexact(array.dtype())) {
    const rt::Array ones =
        rt::full(session(vm), array.shape(), rt::Scalar(true), rt::DType::kBool, array.space());
    return rt::reduce(session(vm), rt::Fold::add, ones, options);
  }
  const rt::Array numbers = ops::logical_not(vm, ops::isnan(vm, array));
  return rt::reduce(session(vm), rt::Fold::add, numbers, options);
}

template <rt::Fold kFold, int kFill>
Value nan_fold(Interpreter& vm, const Namespace& names, const rt::Array& array, const Axes& axis,
               std::optional<rt::DType> dtype, const Value& out, std::optional<bool> keepdims,
               const Value& initial, const Value& where) {
  const rt::ReduceOptions options = reduce_options(axis, dtype, keepdims);
  ReduceCall call{
      .array = filled(vm, array, kFill), .options = options, .out = out, .initial = initial};
  call.read_where(vm, where, names);
  return call.run(vm, kFold);
}

// The words of NumPy's warning depend on whether an array was given.
Value told_of_nan(Interpreter& vm, const Namespace& names, Value extremes, bool of_array) {
  const rt::Array found = to_array(vm, extremes, names);
  warn_where(vm, ops::isnan(vm, found),
             of_array ? "All-NaN slice encountered" : "All-NaN axis encountered");
  return extremes;
}

// fmax and fmin ignore nan by themselves.
template <rt::Fold kFold, rt::Fold kExact>
Value nan_extreme(Interpreter& vm, const Namespace& names, const Value& a, const Value& axis,
                  const Value& out, const Value& keepdims, const Value& initial,
                  const Value& where) {
  const rt::Array array = to_array(vm, a, names);
  const bool of_array = as_ndarray(a) != nullptr;
  ReduceCall call{.array = array, .out = out, .initial = initial};
  call.read_axes(vm, axis);
  call.options.keepdims = truth_or(vm, keepdims, false);
  call.read_where(vm, where, names);
  const bool empty_list = array.size() == 0 && !of_array;
  if (!rt::is_inexact(array.dtype()) || empty_list) return call.run(vm, kExact);
  return told_of_nan(vm, names, call.run(vm, kFold), of_array);
}

// The quotient, and nan without an event where the count is not positive.
rt::Array divided(Interpreter& vm, const rt::Array& sum, const rt::Array& count) {
  const rt::Array nothing = ops::less_equal(vm, count, rt::Scalar::weak(int64_t{0}));
  const rt::Array safe = ops::where(vm, nothing, rt::Scalar::weak(int64_t{1}), count);
  const rt::Array quotient = ops::divide(vm, sum, safe);
  const rt::Scalar nan = rt::is_complex(sum.dtype())
                             ? rt::Scalar::weak(std::complex<double>(NAN, NAN))
                             : rt::Scalar::weak(double{NAN});
  return ops::where(vm, nothing, nan, quotient);
}

struct Moments {
  rt::Array mean, count;
};

Moments moments(Interpreter& vm, const rt::Array& array, const rt::ReduceOptions& options) {
  const rt::Array count = count_numbers(vm, array, options);
  const rt::Array sum = rt::reduce(session(vm), rt::Fold::add, filled(vm, array, 0), options);
  const rt::Array mean = divided(vm, sum, count);
  return {rt::astype(session(vm), mean, sum.dtype(), rt::Casting::kUnsafe, false), count};
}

// The array with nan where the mask is false.
rt::Array unmasked(Interpreter& vm, const ReduceCall& call) {
  if (!call.where) return call.array;
  rt::check_mask(call.array, *call.where);
  return ops::where(vm, *call.where, call.array, rt::Scalar::weak(double{NAN}));
}

void check_moment_dtype(Interpreter& vm, const rt::Array& array, std::optional<rt::DType> dtype) {
  if (dtype && rt::is_inexact(array.dtype()) && !rt::is_inexact(*dtype)) {
    vm.raise_type_error("If a is inexact, then dtype must be inexact");
  }
}

Value nanmean(Interpreter& vm, const Namespace& names, const rt::Array& array, const Axes& axis,
              std::optional<rt::DType> dtype, const Value& out, std::optional<bool> keepdims,
              const Value& where) {
  check_moment_dtype(vm, array, dtype);
  const rt::ReduceOptions options = reduce_options(axis, dtype, keepdims);
  ReduceCall call{.array = array, .options = options, .out = out};
  call.read_where(vm, where, names);
  if (!rt::is_inexact(array.dtype())) return call.mean(vm);
  const Moments found = moments(vm, unmasked(vm, call), options);
  warn_where(vm, ops::equal(vm, found.count, rt::Scalar::weak(int64_t{0})), "Mean of empty slice");
  rt::Array mean = found.mean;
  if (dtype) mean = rt::astype(session(vm), mean, *dtype, rt::Casting::kUnsafe, false);
  return finish(vm, std::move(mean), out);
}

// The squares of the deviations, as precise as the array, whatever the mean's dtype.
rt::Array squares_around(Interpreter& vm, const rt::Array& array, const rt::Array& mean) {
  const rt::Array off = rt::astype(session(vm), ops::subtract(vm, array, mean), array.dtype(),
                                   rt::Casting::kUnsafe, false);
  if (!rt::is_complex(off.dtype())) return ops::square(vm, off);
  return rt::real_part(ops::multiply(vm, off, ops::conjugate(vm, off)));
}

template <bool kRoot>
Value nan_spread(Interpreter& vm, const Namespace& names, const rt::Array& array, const Axes& axis,
                 std::optional<rt::DType> dtype, const Value& out, const Value& ddof,
                 std::optional<bool> keepdims, const Value& where) {
  check_moment_dtype(vm, array, dtype);
  const rt::ReduceOptions options = reduce_options(axis, dtype, keepdims);
  ReduceCall call{.array = array, .options = options, .out = out};
  call.read_where(vm, where, names);
  if (!rt::is_inexact(array.dtype())) return call.spread(vm, vm.to_real(ddof), kRoot);
  const rt::Array masked = unmasked(vm, call);
  const Moments known = moments(vm, masked, reduce_options(axis, dtype, true));
  const rt::Array squares = filled(vm, squares_around(vm, masked, known.mean), 0);
  const rt::Array sum = rt::reduce(session(vm), rt::Fold::add, squares, options);
  const rt::Array count = count_numbers(vm, masked, options);
  const rt::Array divisor = ops::subtract(vm, count, to_operand(vm, ddof, names));
  warn_where(vm, ops::less_equal(vm, divisor, rt::Scalar::weak(int64_t{0})),
             "Degrees of freedom <= 0 for slice.");
  rt::Array result =
      rt::astype(session(vm), divided(vm, sum, divisor), sum.dtype(), rt::Casting::kUnsafe, false);
  if (kRoot) result = ops::sqrt(vm, result);
  return finish(vm, result, out);
}

// Whether any result along the axis is made of nan alone.
bool any_all_nan(Interpreter& vm, const rt::Array& array, std::optional<int64_t> axis) {
  if (!rt::is_inexact(array.dtype()) || array.size() == 0) return false;
  rt::ReduceOptions options;
  if (axis) options.axes = {*axis};
  const rt::Array nothing =
      rt::reduce(session(vm), rt::Fold::logical_and, ops::isnan(vm, array), options);
  return rt::item(session(vm), rt::reduce(session(vm), rt::Fold::logical_or, nothing, {})).truth();
}

template <rt::Fold kFold, int kSign>
Value nan_arg(Interpreter& vm, const rt::Array& array, Axis axis, const Value& out,
              std::optional<bool> keepdims) {
  const rt::Array result = rt::arg_reduce(session(vm), kFold, filled(vm, array, kSign * INFINITY),
                                          axis, keepdims.value_or(false));
  if (any_all_nan(vm, array, axis)) vm.raise_value_error("All-NaN slice encountered");
  return finish(vm, result, out);
}

constexpr const char* kTotal =
    "(a, axis=None, dtype=None, out=None, keepdims=<no value>, initial=<no value>, where=<no "
    "value>)";
constexpr const char* kExtreme =
    "(a, axis=None, out=None, keepdims=<no value>, initial=<no value>, where=<no value>)";

constexpr const char* kSpread =
    "(a, axis=None, dtype=None, out=None, ddof=0, keepdims=<no value>, *, where=<no value>)";

const Native kFunctions[] = {
    {"nansum", kTotal, typed<nan_fold<rt::Fold::add, 0>>, "The sum, nan taken as 0."},
    {"nanprod", kTotal, typed<nan_fold<rt::Fold::multiply, 1>>, "The product, nan taken as 1."},
    {"nanmax", kExtreme, typed<nan_extreme<rt::Fold::fmax, rt::Fold::maximum>>,
     "The greatest element that is no nan."},
    {"nanmin", kExtreme, typed<nan_extreme<rt::Fold::fmin, rt::Fold::minimum>>,
     "The least element that is no nan."},
    {"nanmean", "(a, axis=None, dtype=None, out=None, keepdims=<no value>, *, where=<no value>)",
     typed<nanmean>, "The mean of what is no nan."},
    {"nanvar", kSpread, typed<nan_spread<false>>, "The variance of what is no nan."},
    {"nanstd", kSpread, typed<nan_spread<true>>, "The standard deviation of what is no nan."},
    {"nanargmax", "(a, axis=None, out=None, *, keepdims=<no value>)",
     typed<nan_arg<rt::Fold::argmax, -1>>, "The index of the greatest element that is no nan."},
    {"nanargmin", "(a, axis=None, out=None, *, keepdims=<no value>)",
     typed<nan_arg<rt::Fold::argmin, 1>>, "The index of the least element that is no nan."},
};

}  // namespace

Family nan_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
