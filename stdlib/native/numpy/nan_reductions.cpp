// Reductions that leave nan out.
#include <cmath>
#include <complex>
#include <utility>

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

// How many elements are no nan, in the shape of the result.
rt::Array count_numbers(Interpreter& vm, const rt::Array& array, rt::ReduceOptions options) {
  options.dtype = rt::DType::kInt64;
  options.out = nullptr;
  if (!rt::is_inexact(array.dtype())) {
    const rt::Array ones =
        rt::full(session(vm), array.shape(), rt::Scalar(true), rt::DType::kBool, array.space());
    return rt::reduce(session(vm), "add", ones, options);
  }
  const rt::Array numbers = ops::logical_not(vm, ops::isnan(vm, array));
  return rt::reduce(session(vm), "add", numbers, options);
}

// (a, axis, dtype, out, keepdims, initial, where)
template <const char* kName, int kFill> Value nan_fold(Interpreter& vm, Args args) {
  ReduceCall call{filled(vm, array_argument(vm, args), kFill), {}, args[3]};
  call.read_axes(vm, args[1]);
  call.read_dtype(vm, args[2]);
  call.options.keepdims = truth_or(vm, args[4], false);
  call.initial = args[5];
  call.read_where(vm, args[6], namespace_or_numpy(args));
  return call.run(vm, kName);
}

// NumPy words it by whether an array was given.
Value told_of_nan(Interpreter& vm, Value extremes, const Args& args) {
  const rt::Array found = to_array(vm, extremes, namespace_or_numpy(args));
  warn_where(vm, ops::isnan(vm, found),
             as_ndarray(args[0]) ? "All-NaN slice encountered" : "All-NaN axis encountered");
  return extremes;
}

// fmax and fmin pass over nan by themselves; (a, axis, out, keepdims, initial, where).
template <const char* kName, const char* kExact> Value nan_extreme(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  const bool inexact = rt::is_inexact(array.dtype());
  const bool has_row = rt::find_reduction(kName) != nullptr;
  ReduceCall call{array, {}, args[2]};
  call.read_axes(vm, args[1]);
  call.options.keepdims = truth_or(vm, args[3], false);
  call.initial = args[4];
  call.read_where(vm, args[5], namespace_or_numpy(args));
  const bool listed = array.size() == 0 && !as_ndarray(args[0]);
  if (!inexact || listed) return call.run(vm, kExact);
  if (has_row) return told_of_nan(vm, call.run(vm, kName), args);
  // Elsewhere nan becomes the far infinity, and comes back where there was nothing else.
  const double far = std::string_view(kName) == "fmax" ? -INFINITY : INFINITY;
  const rt::Array count = count_numbers(vm, array, call.options);
  call.array = filled(vm, array, far);
  const rt::Array found = rt::reduce(session(vm), kExact, call.array, call.prepared());
  const rt::Array empty = ops::equal(vm, count, rt::Scalar::weak(int64_t{0}));
  return told_of_nan(
      vm, finish(vm, ops::where(vm, empty, rt::Scalar::weak(double{NAN}), found), args[2]), args);
}

// nan where there is nothing to divide by, with no event.
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
  const rt::Array sum = rt::reduce(session(vm), "add", filled(vm, array, 0), options);
  const rt::Array mean = divided(vm, sum, count);
  return {rt::astype(session(vm), mean, sum.dtype(), rt::Casting::kUnsafe, false), count};
}

// The array with nan where the mask is false.
rt::Array unmasked(Interpreter& vm, const ReduceCall& call) {
  if (!call.where) return call.array;
  rt::check_mask(call.array, *call.where);
  return ops::where(vm, *call.where, call.array, rt::Scalar::weak(double{NAN}));
}

std::optional<rt::DType> moment_dtype(Interpreter& vm, const rt::Array& array, const Value& dtype) {
  const auto wanted = to_optional_dtype(vm, dtype);
  if (wanted && rt::is_inexact(array.dtype()) && !rt::is_inexact(*wanted)) {
    vm.raise_type_error("If a is inexact, then dtype must be inexact");
  }
  return wanted;
}

// (a, axis, dtype, out, keepdims, where)
Value nanmean(Interpreter& vm, Args args) {
  ReduceCall call{array_argument(vm, args), {}, args[3]};
  call.read_axes(vm, args[1]);
  call.options.dtype = moment_dtype(vm, call.array, args[2]);
  call.options.keepdims = truth_or(vm, args[4], false);
  call.read_where(vm, args[5], namespace_or_numpy(args));
  if (!rt::is_inexact(call.array.dtype())) return call.mean(vm);
  const Moments found = moments(vm, unmasked(vm, call), call.options);
  warn_where(vm, ops::equal(vm, found.count, rt::Scalar::weak(int64_t{0})), "Mean of empty slice");
  rt::Array mean = found.mean;
  if (call.options.dtype)
    mean = rt::astype(session(vm), mean, *call.options.dtype, rt::Casting::kUnsafe, false);
  return finish(vm, std::move(mean), args[3]);
}

// As precise as the array, whatever the mean's dtype.
rt::Array squares_around(Interpreter& vm, const rt::Array& array, const rt::Array& mean) {
  const rt::Array off = rt::astype(session(vm), ops::subtract(vm, array, mean), array.dtype(),
                                   rt::Casting::kUnsafe, false);
  if (!rt::is_complex(off.dtype())) return ops::square(vm, off);
  return rt::real_part(ops::multiply(vm, off, ops::conjugate(vm, off)));
}

// (a, axis, dtype, out, ddof, keepdims, where)
template <bool kRoot> Value nan_spread(Interpreter& vm, Args args) {
  ReduceCall call{array_argument(vm, args), {}, args[3]};
  call.read_axes(vm, args[1]);
  rt::ReduceOptions& options = call.options;
  options.dtype = moment_dtype(vm, call.array, args[2]);
  options.keepdims = truth_or(vm, args[5], false);
  call.read_where(vm, args[6], namespace_or_numpy(args));
  if (!rt::is_inexact(call.array.dtype())) return call.spread(vm, vm.to_real(args[4]), kRoot);
  const rt::Array array = unmasked(vm, call);
  const bool keepdims = std::exchange(options.keepdims, true);
  const Moments known = moments(vm, array, options);
  const rt::Array squares = filled(vm, squares_around(vm, array, known.mean), 0);
  options.keepdims = keepdims;
  const rt::Array sum = rt::reduce(session(vm), "add", squares, options);
  const rt::Array count = count_numbers(vm, array, options);
  const rt::Array divisor =
      ops::subtract(vm, count, to_operand(vm, args[4], namespace_or_numpy(args)));
  warn_where(vm, ops::less_equal(vm, divisor, rt::Scalar::weak(int64_t{0})),
             "Degrees of freedom <= 0 for slice.");
  rt::Array result =
      rt::astype(session(vm), divided(vm, sum, divisor), sum.dtype(), rt::Casting::kUnsafe, false);
  if (kRoot) result = ops::sqrt(vm, result);
  return finish(vm, result, args[3]);
}

// Whether any result of these axes has nothing but nan below it.
bool any_all_nan(Interpreter& vm, const rt::Array& array,
                 const std::optional<std::vector<int64_t>>& axes) {
  if (!rt::is_inexact(array.dtype()) || array.size() == 0) return false;
  rt::ReduceOptions options;
  options.axes = axes;
  const rt::Array nothing = rt::reduce(session(vm), "logical_and", ops::isnan(vm, array), options);
  return rt::item(session(vm), rt::reduce(session(vm), "logical_or", nothing, {})).truth();
}

// (a, axis, out, keepdims)
template <const char* kName, int kSign> Value nan_arg(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  const rt::Array result = rt::arg_reduce(session(vm), kName, filled(vm, array, kSign * INFINITY),
                                          to_axis(vm, args[1]), truth_or(vm, args[3], false));
  if (any_all_nan(vm, array, to_axes(vm, args[1])))
    vm.raise_value_error("All-NaN slice encountered");
  return finish(vm, result, args[2]);
}

constexpr char kAdd[] = "add";
constexpr char kMultiply[] = "multiply";
constexpr char kFmax[] = "fmax";
constexpr char kFmin[] = "fmin";
constexpr char kMaximum[] = "maximum";
constexpr char kMinimum[] = "minimum";
constexpr char kArgmax[] = "argmax";
constexpr char kArgmin[] = "argmin";

constexpr const char* kTyped =
    "(a, axis=None, dtype=None, out=None, keepdims=<no value>, initial=<no value>, where=<no "
    "value>)";
constexpr const char* kExtreme =
    "(a, axis=None, out=None, keepdims=<no value>, initial=<no value>, where=<no value>)";

constexpr const char* kSpread =
    "(a, axis=None, dtype=None, out=None, ddof=0, keepdims=<no value>, *, where=<no value>)";

const Native kFunctions[] = {
    {"nansum", kTyped, nan_fold<kAdd, 0>, "The sum, nan taken as 0."},
    {"nanprod", kTyped, nan_fold<kMultiply, 1>, "The product, nan taken as 1."},
    {"nanmax", kExtreme, nan_extreme<kFmax, kMaximum>, "The greatest element that is no nan."},
    {"nanmin", kExtreme, nan_extreme<kFmin, kMinimum>, "The least element that is no nan."},
    {"nanmean", "(a, axis=None, dtype=None, out=None, keepdims=<no value>, *, where=<no value>)",
     nanmean, "The mean of what is no nan."},
    {"nanvar", kSpread, nan_spread<false>, "The variance of what is no nan."},
    {"nanstd", kSpread, nan_spread<true>, "The standard deviation of what is no nan."},
    {"nanargmax", "(a, axis=None, out=None, *, keepdims=<no value>)", nan_arg<kArgmax, -1>,
     "The index of the greatest element that is no nan."},
    {"nanargmin", "(a, axis=None, out=None, *, keepdims=<no value>)", nan_arg<kArgmin, 1>,
     "The index of the least element that is no nan."},
};

}  // namespace

Family nan_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
