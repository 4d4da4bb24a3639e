// Sums, products, extremes and means.
#include "runtime/ops/create.h"
#include "runtime/ops/reduction.h"
#include "stdlib/native/numpy/reduce_call.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// Nothing but the array given, `keepdims` and `where` being as they are by default.
bool takes_all(const Args& args, size_t keepdims, size_t where) {
  for (size_t i = 1; i < args.size(); ++i) {
    const bool ordinary = args[i].is_boolean() && ((i == keepdims && !args[i].as_boolean()) ||
                                                   (i == where && args[i].as_boolean()));
    if (is_given(args[i]) && !ordinary) return false;
  }
  return true;
}

const rt::Array* small_candidate(const Args& args) {
  const Ndarray* array = as_ndarray(args[0]);
  return array && !namespace_or_numpy(args).is_cupy() ? &array->array : nullptr;
}

// All of a small array of the host, at once.
template <const char* kName>
std::optional<rt::Scalar> reduced_at_once(Interpreter& vm, const Args& args, size_t keepdims,
                                          size_t where) {
  static const rt::Reduction& row = *rt::find_reduction(kName);
  const rt::Array* array = small_candidate(args);
  if (!array || !takes_all(args, keepdims, where)) return std::nullopt;
  return rt::try_reduce_all(session(vm), row, *array);
}

// (a, axis, dtype, out, keepdims, initial, where)
template <const char* kName> Value typed_reduction(Interpreter& vm, Args args) {
  if (auto number = reduced_at_once<kName>(vm, args, 4, 6)) return wrap_scalar(vm, *number);
  ReduceCall call{array_argument(vm, args), {}, args[3]};
  call.read_axes(vm, args[1]);
  call.read_dtype(vm, args[2]);
  call.options.keepdims = truth_or(vm, args[4], false);
  call.initial = args[5];
  call.read_where(vm, args[6], namespace_or_numpy(args));
  return call.run(vm, kName);
}

// (a, axis, out, keepdims, initial, where)
template <const char* kName> Value extreme(Interpreter& vm, Args args) {
  if (auto number = reduced_at_once<kName>(vm, args, 3, 5)) return wrap_scalar(vm, *number);
  ReduceCall call{array_argument(vm, args), {}, args[2]};
  call.read_axes(vm, args[1]);
  call.options.keepdims = truth_or(vm, args[3], false);
  call.initial = args[4];
  call.read_where(vm, args[5], namespace_or_numpy(args));
  return call.run(vm, kName);
}

// (a, axis, out, keepdims, where)
template <const char* kName> Value test(Interpreter& vm, Args args) {
  if (auto number = reduced_at_once<kName>(vm, args, 3, 4)) return wrap_scalar(vm, *number);
  ReduceCall call{array_argument(vm, args), {}, args[2]};
  call.read_axes(vm, args[1]);
  call.options.keepdims = truth_or(vm, args[3], false);
  call.read_where(vm, args[4], namespace_or_numpy(args));
  return call.run(vm, kName);
}

// (a, axis, out, keepdims)
template <const char* kName> Value where_extreme(Interpreter& vm, Args args) {
  constexpr size_t kNoWhere = 0;
  if (auto number = reduced_at_once<kName>(vm, args, 3, kNoWhere)) return wrap_scalar(vm, *number);
  rt::Array result = rt::arg_reduce(session(vm), kName, array_argument(vm, args),
                                    to_axis(vm, args[1]), truth_or(vm, args[3], false));
  return finish(vm, std::move(result), args[2]);
}

Value count_nonzero(Interpreter& vm, Args args) {
  ReduceCall call{array_argument(vm, args)};
  call.read_axes(vm, args[1]);
  call.options.keepdims = truth_or(vm, args[2], false);
  return call.run(vm, "count_nonzero");
}

Value ptp(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  rt::ReduceOptions options;
  options.axes = to_axes(vm, args[1]);
  options.keepdims = truth_or(vm, args[3], false);
  const rt::Array high = rt::reduce(session(vm), "maximum", array, options);
  const rt::Array low = rt::reduce(session(vm), "minimum", array, options);
  return finish(vm, ops::subtract(vm, high, low), args[2]);
}

int64_t reduced_count(const rt::Array& array, const std::optional<std::vector<int64_t>>& axes) {
  if (!axes) return array.size();
  int64_t count = 1;
  for (int64_t axis : *axes) {
    if (array.rank() > 0) count *= array.shape()[rt::normalize_axis(axis, array.rank())];
  }
  return count;
}

// --- means ---------------------------------------------------------------------------------------

// Warns where no more than `ddof` elements take part in a result.
void warn_if_too_few(Interpreter& vm, ReduceCall& call, double ddof, const char* message) {
  rt::ReduceOptions along;
  along.axes = call.options.axes;
  if (!call.where) {
    if (reduced_count(call.array, along.axes) <= ddof) warn_about(vm, call.array, message);
    return;
  }
  const rt::Array mask = as_array(vm, *call.where, call.array.space());
  const rt::Array counts =
      rt::reduce(session(vm), "count_nonzero", rt::broadcast_to(mask, call.array.shape()), along);
  warn_where(vm, ops::less_equal(vm, counts, rt::Scalar::weak(ddof)), message);
}

// (a, axis, dtype, out, keepdims, where)
Value mean(Interpreter& vm, Args args) {
  const rt::Array* array = small_candidate(args);
  if (array && takes_all(args, 4, 5)) {
    if (auto number = rt::try_mean_all(session(vm), *array)) return wrap_scalar(vm, *number);
  }
  ReduceCall call{array_argument(vm, args), {}, args[3]};
  call.read_axes(vm, args[1]);
  call.read_dtype(vm, args[2]);
  call.options.keepdims = truth_or(vm, args[4], false);
  call.read_where(vm, args[5], namespace_or_numpy(args));
  return call.mean(vm);
}

// (a, axis, dtype, out, ddof, keepdims, where, correction)
template <bool kRoot> Value spread(Interpreter& vm, Args args) {
  ReduceCall call{array_argument(vm, args), {}, args[3]};
  call.read_axes(vm, args[1]);
  call.read_dtype(vm, args[2]);
  call.options.keepdims = truth_or(vm, args[5], false);
  call.read_where(vm, args[6], namespace_or_numpy(args));
  return call.spread(vm, vm.to_real(is_given(args[7]) ? args[7] : args[4]), kRoot);
}

// The weights of an average, one for each element.
rt::Array weights_of(Interpreter& vm, const Args& args, const rt::Array& array,
                     const rt::ReduceOptions& options) {
  rt::Array weights = to_array(vm, args[2], namespace_or_numpy(args));
  const bool is_row = weights.rank() == 1 && options.axes && options.axes->size() == 1;
  if (!(weights.shape() == array.shape()) && is_row) {
    rt::Dims along(array.rank(), 1);
    along[rt::normalize_axis((*options.axes)[0], array.rank())] = weights.size();
    weights = rt::broadcast_to(rt::reshape(session(vm), weights, along), array.shape());
  }
  if (!(weights.shape() == array.shape())) {
    vm.raise_type_error("Axis must be specified when shapes of a and weights differ.");
  }
  const rt::DType type = rt::promote(array.dtype(), weights.dtype());
  const bool whole = !rt::is_inexact(array.dtype());
  return rt::astype(session(vm), weights, whole ? rt::promote(type, rt::DType::kFloat64) : type,
                    rt::Casting::kUnsafe, false);
}

struct Average {
  rt::Array result;
  rt::Array scale;  // the sum of the weights
};

Average weighted_average(Interpreter& vm, const rt::Array& array, const rt::Array& weights,
                         const rt::ReduceOptions& options) {
  rt::Array scale = rt::reduce(session(vm), "add", weights, options);
  const rt::Array zeros = ops::equal(vm, scale, rt::Scalar::weak(int64_t{0}));
  if (rt::item(session(vm), rt::reduce(session(vm), "logical_or", zeros, {})).truth()) {
    vm.raise(vm.types.zero_division_error, "Weights sum to zero, can't be normalized");
  }
  const rt::Array weighted = ops::multiply(vm, array, weights);
  rt::Array sum = rt::reduce(session(vm), "add", weighted, options);
  return {ops::divide(vm, sum, scale), scale};
}

Average plain_average(Interpreter& vm, const rt::Array& array, const rt::ReduceOptions& options) {
  if (reduced_count(array, options.axes) == 0) warn_about(vm, array, "Mean of empty slice");
  rt::Array result = rt::mean(session(vm), array, options);
  const double count =
      result.size() ? static_cast<double>(array.size()) / static_cast<double>(result.size()) : 0;
  rt::Array scale = rt::full(session(vm), result.shape(), rt::Scalar::weak(count), result.dtype(),
                             result.space());
  return {result, scale};
}

Value average(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  rt::ReduceOptions options;
  options.axes = to_axes(vm, args[1]);
  options.keepdims = truth_or(vm, args[4], false);
  const Average found =
      is_given(args[2]) ? weighted_average(vm, array, weights_of(vm, args, array, options), options)
                        : plain_average(vm, array, options);
  if (!truth_or(vm, args[3], false)) return wrap_result(vm, found.result);
  return vm.tuple({wrap_result(vm, found.result), wrap_result(vm, found.scale)});
}

constexpr char kAdd[] = "add";
constexpr char kMultiply[] = "multiply";
constexpr char kMaximum[] = "maximum";
constexpr char kMinimum[] = "minimum";
constexpr char kAny[] = "logical_or";
constexpr char kAll[] = "logical_and";
constexpr char kArgmax[] = "argmax";
constexpr char kArgmin[] = "argmin";

#define GPY_NO_VALUE "=<no value>"
constexpr const char* kTyped = "(a, axis=None, dtype=None, out=None, keepdims" GPY_NO_VALUE
                               ", initial" GPY_NO_VALUE ", where" GPY_NO_VALUE ")";
constexpr const char* kTypedMethod =
    "(self, axis=None, dtype=None, out=None, keepdims=False, initial" GPY_NO_VALUE ", where=True)";
constexpr const char* kExtreme = "(a, axis=None, out=None, keepdims" GPY_NO_VALUE
                                 ", initial" GPY_NO_VALUE ", where" GPY_NO_VALUE ")";
constexpr const char* kExtremeMethod =
    "(self, axis=None, out=None, keepdims=False, initial" GPY_NO_VALUE ", where=True)";
constexpr const char* kTest =
    "(a, axis=None, out=None, keepdims" GPY_NO_VALUE ", *, where" GPY_NO_VALUE ")";
constexpr const char* kTestMethod = "(self, axis=None, out=None, keepdims=False, *, where=True)";
constexpr const char* kArg = "(a, axis=None, out=None, *, keepdims" GPY_NO_VALUE ")";
constexpr const char* kArgMethod = "(self, axis=None, out=None, *, keepdims=False)";
constexpr const char* kMean =
    "(a, axis=None, dtype=None, out=None, keepdims" GPY_NO_VALUE ", *, where" GPY_NO_VALUE ")";
constexpr const char* kMeanMethod =
    "(self, axis=None, dtype=None, out=None, keepdims=False, *, where=True)";
constexpr const char* kSpread = "(a, axis=None, dtype=None, out=None, ddof=0, keepdims" GPY_NO_VALUE
                                ", *, where" GPY_NO_VALUE ", correction" GPY_NO_VALUE ")";
constexpr const char* kSpreadMethod =
    "(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, "
    "correction" GPY_NO_VALUE ")";
#undef GPY_NO_VALUE

#define GPY_REDUCTIONS(typed, extremes, tests, args, means, spreads)                               \
  {"sum", typed, typed_reduction<kAdd>, "The sum of elements along axes."},                        \
      {"prod", typed, typed_reduction<kMultiply>, "The product of elements along axes."},          \
      {"max", extremes, extreme<kMaximum>, "The greatest element along axes."},                    \
      {"min", extremes, extreme<kMinimum>, "The least element along axes."},                       \
      {"any", tests, test<kAny>, "Whether any element is true."},                                  \
      {"all", tests, test<kAll>, "Whether all elements are true."},                                \
      {"argmax", args, where_extreme<kArgmax>, "The index of the greatest element."},              \
      {"argmin", args, where_extreme<kArgmin>, "The index of the least element."},                 \
      {"mean", means, mean, "The mean of elements along axes."},                                   \
      {"var", spreads, spread<false>, "The variance along axes; divided by the count less ddof."}, \
  {                                                                                                \
    "std", spreads, spread<true>, "The standard deviation along axes."                             \
  }

const Native kFunctions[] = {
    GPY_REDUCTIONS(kTyped, kExtreme, kTest, kArg, kMean, kSpread),
    {"amax", kExtreme, extreme<kMaximum>, "As max."},
    {"amin", kExtreme, extreme<kMinimum>, "As min."},
    {"ptp", "(a, axis=None, out=None, keepdims=<no value>)", ptp,
     "The greatest less the least element."},
    {"count_nonzero", "(a, axis=None, *, keepdims=False)", count_nonzero,
     "How many elements are true."},
    {"average", "(a, axis=None, weights=None, returned=False, *, keepdims=<no value>)", average,
     "The weighted mean along axes."},
};
const Native kMethods[] = {
    GPY_REDUCTIONS(kTypedMethod, kExtremeMethod, kTestMethod, kArgMethod, kMeanMethod,
                   kSpreadMethod),
    {"ptp", "(self, axis=None, out=None, keepdims=False)", ptp,
     "The greatest less the least element."},
};
#undef GPY_REDUCTIONS

}  // namespace

Value ReduceCall::mean(Interpreter& vm) {
  warn_if_too_few(vm, *this, 0, "Mean of empty slice");
  // NumPy stores means and variances whatever the dtype of `out`.
  return finish_unsafe(vm, rt::mean(session(vm), array, prepared()), out);
}

Value ReduceCall::spread(Interpreter& vm, double ddof, bool root) {
  warn_if_too_few(vm, *this, ddof, "Degrees of freedom <= 0 for slice");
  rt::Array result = rt::variance(session(vm), array, prepared(), ddof, root);
  return root ? finish(vm, std::move(result), out) : finish_unsafe(vm, std::move(result), out);
}

Family reduction_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
