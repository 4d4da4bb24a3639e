// Sums, products, extremes and means.
#include "runtime/ops/create.h"
#include "runtime/ops/reduction.h"
#include "stdlib/native/numpy/reduce_call.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

const Value kOmitted;

// The arguments of a reduction, not yet converted: a small array is reduced before they are.
struct Given {
  const Namespace& names;
  const Value& array;
  const Value& axis;
  const Value& out;
  const Value& keepdims;
  const Value& dtype = kOmitted;
  const Value& initial = kOmitted;
  const Value& where = kOmitted;

  // The array, if all other arguments have their defaults; null otherwise.
  const rt::Array* array_alone() const;
  ReduceCall read(Interpreter& vm) const;
};

bool is_usual(const Value& flag, bool usual) {
  return flag.is_undefined() || (flag.is_boolean() && flag.as_boolean() == usual);
}

const rt::Array* Given::array_alone() const {
  const Ndarray* found = as_ndarray(array);
  if (!found || names.is_cupy()) return nullptr;
  const bool alone = !is_given(axis) && !is_given(out) && !is_given(dtype) && !is_given(initial);
  return alone && is_usual(keepdims, false) && is_usual(where, true) ? &found->array : nullptr;
}

ReduceCall Given::read(Interpreter& vm) const {
  ReduceCall call{.array = to_array(vm, array, names), .out = out, .initial = initial};
  call.read_axes(vm, axis);
  call.read_dtype(vm, dtype);
  call.options.keepdims = to_keepdims(vm, keepdims);
  call.read_where(vm, where, names);
  return call;
}

// Reduces a whole small host array at once.
template <rt::Fold kFold>
std::optional<rt::Scalar> reduced_at_once(Interpreter& vm, const Given& given) {
  const rt::Array* array = given.array_alone();
  return array ? rt::try_reduce_all(session(vm), rt::reduction(kFold), *array) : std::nullopt;
}

template <rt::Fold kFold> Value reduced(Interpreter& vm, const Given& given) {
  if (auto number = reduced_at_once<kFold>(vm, given)) return wrap_scalar(vm, *number);
  return given.read(vm).run(vm, kFold);
}

template <rt::Fold kFold>
Value total(Interpreter& vm, const Namespace& names, const Value& a, const Value& axis,
            const Value& dtype, const Value& out, const Value& keepdims, const Value& initial,
            const Value& where) {
  return reduced<kFold>(vm, {names, a, axis, out, keepdims, dtype, initial, where});
}

template <rt::Fold kFold>
Value extreme(Interpreter& vm, const Namespace& names, const Value& a, const Value& axis,
              const Value& out, const Value& keepdims, const Value& initial, const Value& where) {
  return reduced<kFold>(vm, {names, a, axis, out, keepdims, kOmitted, initial, where});
}

template <rt::Fold kFold>
Value test(Interpreter& vm, const Namespace& names, const Value& a, const Value& axis,
           const Value& out, const Value& keepdims, const Value& where) {
  return reduced<kFold>(vm, {names, a, axis, out, keepdims, kOmitted, kOmitted, where});
}

template <rt::Fold kFold>
Value where_extreme(Interpreter& vm, const Namespace& names, const Value& a, const Value& axis,
                    const Value& out, const Value& keepdims) {
  if (auto number = reduced_at_once<kFold>(vm, {names, a, axis, out, keepdims})) {
    return wrap_scalar(vm, *number);
  }
  const rt::Array array = to_array(vm, a, names);
  const auto along = to_strict_axis(vm, axis);
  const bool kept = keepdims.is_defined() && vm.truth(keepdims);
  if (const Ndarray* target = to_out(vm, out)) {
    rt::check_cast("argmax", "output", target->array.dtype(), rt::DType::kInt64,
                   rt::Casting::kSafe);
  }
  return finish(vm, rt::arg_reduce(session(vm), kFold, array, along, kept), out);
}

Value count_nonzero(Interpreter& vm, const rt::Array& array, const Axes& axis, KeepDims keepdims) {
  ReduceCall call{.array = array, .options = reduce_options(axis, {}, keepdims)};
  return call.run(vm, rt::Fold::count_nonzero);
}

Value ptp(Interpreter& vm, const rt::Array& array, const Axes& axis, const Value& out,
          KeepDims keepdims) {
  const rt::ReduceOptions options = reduce_options(axis, {}, keepdims);
  const rt::Array high = rt::reduce(session(vm), rt::Fold::maximum, array, options);
  const rt::Array low = rt::reduce(session(vm), rt::Fold::minimum, array, options);
  return finish(vm, ops::subtract(vm, high, low), out);
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
  const rt::Array counts = rt::reduce(session(vm), rt::Fold::count_nonzero,
                                      rt::broadcast_to(mask, call.array.shape()), along);
  warn_where(vm, ops::less_equal(vm, counts, rt::Scalar::weak(ddof)), message);
}

Value mean(Interpreter& vm, const Namespace& names, const Value& a, const Value& axis,
           const Value& dtype, const Value& out, const Value& keepdims, const Value& where) {
  const Given given{names, a, axis, out, keepdims, dtype, kOmitted, where};
  if (const rt::Array* array = given.array_alone()) {
    if (auto number = rt::try_mean_all(session(vm), *array)) return wrap_scalar(vm, *number);
  }
  return given.read(vm).mean(vm);
}

template <bool kRoot>
Value spread(Interpreter& vm, const Namespace& names, const rt::Array& array, const Axes& axis,
             std::optional<rt::DType> dtype, const Value& out, const Value& ddof, KeepDims keepdims,
             const Value& where, const Value& mean, const Value& correction) {
  const rt::ReduceOptions options = reduce_options(axis, dtype, keepdims);
  if (kRoot && dtype) {
    const rt::DType root = rt::is_inexact(*dtype) ? *dtype : rt::DType::kFloat64;
    rt::check_cast("sqrt", "output", root, *dtype, rt::Casting::kSameKind);
  }
  ReduceCall call{.array = array, .options = options, .out = out};
  call.read_where(vm, where, names);
  const bool has_ddof = !ddof.is_integer() || ddof.as_integer() != 0;
  if (correction.is_defined() && has_ddof) {
    vm.raise_value_error("ddof and correction can't be provided simultaneously.");
  }
  const double less = vm.to_real(correction.is_defined() ? correction : ddof);
  if (!is_given(mean)) return call.spread(vm, less, kRoot);
  const rt::Array center = to_array(vm, mean, names);
  return call.spread(vm, less, kRoot, &center);
}

#define GPY_NO_VALUE "=<no value>"
constexpr const char* kTotal = "(a, axis=None, dtype=None, out=None, keepdims" GPY_NO_VALUE
                               ", initial" GPY_NO_VALUE ", where" GPY_NO_VALUE ")";
constexpr const char* kTotalMethod =
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
constexpr const char* kSpread =
    "(a, axis=None, dtype=None, out=None, ddof=0, keepdims" GPY_NO_VALUE ", *, where" GPY_NO_VALUE
    ", mean" GPY_NO_VALUE ", correction" GPY_NO_VALUE ")";
constexpr const char* kSpreadMethod =
    "(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, "
    "mean" GPY_NO_VALUE ", correction" GPY_NO_VALUE ")";
#undef GPY_NO_VALUE

#define GPY_REDUCTIONS(totals, extremes, tests, args, means, spreads)                              \
  {"sum", totals, typed<total<rt::Fold::add>>, "The sum of elements along axes."},                 \
      {"prod", totals, typed<total<rt::Fold::multiply>>, "The product of elements along axes."},   \
      {"max", extremes, typed<extreme<rt::Fold::maximum>>, "The greatest element along axes."},    \
      {"min", extremes, typed<extreme<rt::Fold::minimum>>, "The least element along axes."},       \
      {"any", tests, typed<test<rt::Fold::logical_or>>, "Whether any element is true."},           \
      {"all", tests, typed<test<rt::Fold::logical_and>>, "Whether all elements are true."},        \
      {"argmax", args, typed<where_extreme<rt::Fold::argmax>>,                                     \
       "The index of the greatest element."},                                                      \
      {"argmin", args, typed<where_extreme<rt::Fold::argmin>>, "The index of the least element."}, \
      {"mean", means, typed<mean>, "The mean of elements along axes."},                            \
      {"var", spreads, typed<spread<false>>,                                                       \
       "The variance along axes; divided by the count less ddof."},                                \
  {                                                                                                \
    "std", spreads, typed<spread<true>>, "The standard deviation along axes."                      \
  }

const Native kFunctions[] = {
    GPY_REDUCTIONS(kTotal, kExtreme, kTest, kArg, kMean, kSpread),
    {"amax", kExtreme, typed<extreme<rt::Fold::maximum>>, "As max."},
    {"amin", kExtreme, typed<extreme<rt::Fold::minimum>>, "As min."},
    {"ptp", "(a, axis=None, out=None, keepdims=<no value>)", typed<ptp>,
     "The greatest less the least element."},
    {"count_nonzero", "(a, axis=None, *, keepdims=False)", typed<count_nonzero>,
     "How many elements are true."},
};
const Native kMethods[] = {
    GPY_REDUCTIONS(kTotalMethod, kExtremeMethod, kTestMethod, kArgMethod, kMeanMethod,
                   kSpreadMethod),
    {"ptp", "(self, axis=None, out=None, keepdims=False)", typed<ptp>,
     "The greatest less the least element."},
};
#undef GPY_REDUCTIONS

}  // namespace

Value ReduceCall::mean(Interpreter& vm) {
  warn_if_too_few(vm, *this, 0, "Mean of empty slice");
  // NumPy stores means and variances whatever the dtype of `out`.
  rt::Array result = rt::mean(session(vm), array, prepared());
  warn_of_lost_parts(vm, result.dtype());
  return finish_unsafe(vm, std::move(result), out);
}

Value ReduceCall::spread(Interpreter& vm, double ddof, bool root, const rt::Array* known_mean) {
  warn_if_too_few(vm, *this, ddof, "Degrees of freedom <= 0 for slice");
  rt::Array result = rt::variance(session(vm), array, prepared(), ddof, root, known_mean);
  warn_of_lost_parts(vm, result.dtype());
  return root ? finish(vm, std::move(result), out) : finish_unsafe(vm, std::move(result), out);
}

Family reduction_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
