// Medians, quantiles, covariance, gradients.
#include <algorithm>
#include <cmath>
#include <set>

#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/products.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/sorting.h"
#include "stdlib/native/numpy/statistics.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// The axes to reduce brought to the end, as one: what is left is the result's shape.
struct Flattened {
  rt::Array array;
  rt::Dims kept;  // with 1 for each reduced axis
  bool keepdims;
};

Flattened flatten_axes(Interpreter& vm, const rt::Array& array, const Value& axis, bool keepdims) {
  rt::Session& state = session(vm);
  auto axes = to_axes(vm, axis);
  Flattened result{array, {}, keepdims};
  if (!axes) {
    result.array = rt::ravel(state, array);
    result.kept = rt::Dims(array.rank(), 1);
    return result;
  }
  std::vector<int64_t> order, to;
  result.kept = array.shape();
  for (int64_t& at : *axes) {
    at = rt::normalize_axis(at, array.rank());
    result.kept[at] = 1;
  }
  if (std::set<int64_t>(axes->begin(), axes->end()).size() < axes->size()) {
    vm.raise_value_error("repeated axis");
  }
  rt::Dims shape;
  int64_t count = 1;
  for (int i = 0; i < array.rank(); ++i) {
    if (std::find(axes->begin(), axes->end(), i) == axes->end()) {
      order.push_back(i);
      shape.push_back(array.shape()[i]);
    }
  }
  for (int64_t at : *axes) {
    order.push_back(at);
    count *= array.shape()[at];
  }
  shape.push_back(count);
  result.array = rt::reshape(state, rt::transpose(array, order), shape);
  return result;
}

rt::Array at_end(Interpreter& vm, const rt::Array& array, int64_t i) {
  const std::vector<rt::IndexItem> items{rt::EllipsisIndex{}, i};
  return rt::get_items(session(vm), array, items);
}

// Between which elements of a sorted row a quantile is, and how far from the lower one.
struct QuantilePlace {
  int64_t low, high;
  double t;
};

QuantilePlace place_of(double q, int64_t count) {
  const double at = q * static_cast<double>(count - 1);
  const auto low = static_cast<int64_t>(std::floor(at));
  return {low, std::min(low + 1, count - 1), at - static_cast<double>(low)};
}

// Linear interpolation between the two elements nearest to a quantile, as NumPy's _lerp.
rt::Array quantile_of(Interpreter& vm, const rt::Array& parted, const QuantilePlace& place) {
  const double t = place.t;
  const rt::Array a = at_end(vm, parted, place.low), b = at_end(vm, parted, place.high);
  const rt::Array step = apply(vm, "subtract", {b, a});
  if (t < 0.5) return apply(vm, "add", {a, apply(vm, "multiply", {step, rt::Scalar::weak(t)})});
  return apply(vm, "subtract", {b, apply(vm, "multiply", {step, rt::Scalar::weak(1 - t)})});
}

// nan anywhere makes the result nan; it comes last, and shows in the last element.
rt::Array spoilt_by_nan(Interpreter& vm, const rt::Array& parted, const rt::Array& result) {
  if (!rt::is_inexact(parted.dtype())) return result;
  const rt::Array last = at_end(vm, parted, parted.shape().back() - 1);
  return apply(vm, "where", {apply(vm, "isnan", {last}), last, result});
}

// Floats with the elements at `kths` where they are in sorted rows.
rt::Array parted_floats(Interpreter& vm, const rt::Array& array, std::span<const int64_t> kths) {
  const bool inexact = rt::is_inexact(array.dtype());
  const rt::Array floats = inexact ? array : rt::astype(session(vm), array, rt::DType::kFloat64);
  return rt::partition(session(vm), floats, kths, -1);
}

rt::Array shaped(Interpreter& vm, const rt::Array& result, const Flattened& flat) {
  return flat.keepdims ? rt::reshape(session(vm), result, flat.kept) : result;
}

// (a, axis, out, overwrite_input, keepdims)
Value median(Interpreter& vm, Args args) {
  const Flattened flat =
      flatten_axes(vm, array_argument(vm, args), args[1], truth_or(vm, args[4], false));
  if (flat.array.shape().back() > 0) {
    return finish(vm, shaped(vm, median_of_last(vm, flat.array), flat), args[2]);
  }
  rt::ReduceOptions last;
  last.axes = std::vector<int64_t>{-1};
  warn_about(vm, flat.array, "Mean of empty slice");
  return finish(vm, shaped(vm, rt::mean(session(vm), flat.array, last), flat), args[2]);
}

// (a, q, axis, out, overwrite_input, method, keepdims)
template <int kScale> Value quantile(Interpreter& vm, Args args) {
  if (vm.to_text(args[5], "method") != "linear") {
    vm.raise_not_implemented_error("quantile: only method='linear' is supported");
  }
  const rt::Array array = array_argument(vm, args);
  if (rt::is_complex(array.dtype())) vm.raise_type_error("a must be an array of real numbers");
  const Flattened flat = flatten_axes(vm, array, args[2], truth_or(vm, args[6], false));
  if (flat.array.shape().back() == 0)
    vm.raise_index_error("cannot take quantiles of an empty array");
  const bool many = args[1].is<List>() || args[1].is<Tuple>() ||
                    (as_ndarray(args[1]) && as_ndarray(args[1])->array.rank() > 0);
  const std::vector<Value> wanted = many ? vm.collect(args[1]) : std::vector<Value>{args[1]};
  std::vector<QuantilePlace> places;
  std::vector<int64_t> kths;
  for (const Value& item : wanted) {
    const double q = vm.to_real(item) / kScale;
    if (!(q >= 0 && q <= 1)) {
      vm.raise_value_error("{} must be in the range [0, {}]",
                           kScale == 1 ? "Quantiles" : "Percentiles", kScale);
    }
    places.push_back(place_of(q, flat.array.shape().back()));
    kths.insert(kths.end(), {places.back().low, places.back().high});
  }
  const rt::Array parted = parted_floats(vm, flat.array, kths);
  std::vector<rt::Array> results;
  for (const QuantilePlace& place : places) {
    results.push_back(shaped(vm, spoilt_by_nan(vm, parted, quantile_of(vm, parted, place)), flat));
  }
  if (!many) return finish(vm, results[0], args[3]);
  return finish(vm, rt::stack(session(vm), results, 0), args[3]);
}

// --- covariance ----------------------------------------------------------------------------------

// Variables as rows: those of a vector are one.
rt::Array as_rows(Interpreter& vm, const rt::Array& array, const char* name) {
  if (array.rank() > 2) vm.raise_value_error("{} has more than 2 dimensions", name);
  rt::Array rows = array;
  const int64_t first[] = {0};
  while (rows.rank() < 2) rows = rt::expand_dims(rows, first);
  return rows;
}

// (m, y, rowvar): the variables of both, at least in double precision.
rt::Array variables(Interpreter& vm, const Args& args) {
  rt::Session& state = session(vm);
  const bool columns = !vm.truth(args[2]);
  const rt::Array given = array_argument(vm, args);
  rt::Array m = as_rows(vm, given, "m");
  if (columns && given.rank() != 1) m = rt::transpose(m);
  if (is_given(args[1]) && m.shape()[0] > 0) {
    rt::Array y = as_rows(vm, to_array(vm, args[1], namespace_or_numpy(args)), "y");
    if (columns && y.shape()[0] != 1) y = rt::transpose(y);
    const rt::Array both[] = {m, y};
    m = rt::concatenate(state, both, 0);
  }
  return rt::astype(state, m, rt::promote(m.dtype(), rt::DType::kFloat64), rt::Casting::kUnsafe,
                    false);
}

// 1 / (samples - ddof), and infinite with NumPy's warnings where there are too few samples.
rt::Array scale_of(Interpreter& vm, const rt::Array& m, double ddof) {
  const double freedom = static_cast<double>(m.shape()[1]) - ddof;
  if (freedom <= 0) warn_about(vm, m, "Degrees of freedom <= 0 for slice");
  const rt::Array one =
      rt::full(session(vm), {}, rt::Scalar::weak(1.0), rt::DType::kFloat64, m.space());
  return apply(vm, "divide", {one, rt::Scalar::weak(std::max(freedom, 0.0))});
}

rt::Array covariance(Interpreter& vm, const rt::Array& m, double ddof) {
  rt::Session& state = session(vm);
  if (m.shape()[0] == 0) return rt::empty(state, {0, 0}, rt::DType::kFloat64, m.space());
  if (m.shape()[1] == 0) warn_about(vm, m, "Mean of empty slice");
  rt::ReduceOptions along;
  along.axes = std::vector<int64_t>{1};
  along.keepdims = true;
  const rt::Array centred = apply(vm, "subtract", {m, rt::mean(state, m, along)});
  rt::Array other = rt::transpose(centred);
  if (rt::is_complex(other.dtype())) other = apply(vm, "conjugate", {other});
  const rt::Array scale = scale_of(vm, m, ddof);
  const rt::Array product = rt::matmul(state, centred, other);
  return rt::squeeze(apply(vm, "multiply", {product, scale}));
}

// (m, y, rowvar, bias, ddof)
Value cov(Interpreter& vm, Args args) {
  const double ddof = is_given(args[4]) ? vm.to_real(args[4]) : vm.truth(args[3]) ? 0 : 1;
  if (ddof != std::trunc(ddof)) vm.raise_value_error("ddof must be integer");
  return wrap_array(vm, covariance(vm, variables(vm, args), ddof));
}

Value corrcoef(Interpreter& vm, Args args) {
  const rt::Array c = covariance(vm, variables(vm, args), 1);
  if (c.rank() == 0) return wrap_result(vm, apply(vm, "divide", {c, c}));
  const rt::Array spread = apply(vm, "sqrt", {rt::real_part(rt::diagonal(c, 0, 0, 1))});
  const int64_t last[] = {1};
  rt::Array result = apply(vm, "divide", {c, rt::expand_dims(spread, last)});
  result = apply(vm, "divide", {result, spread});
  if (!rt::is_complex(result.dtype())) {
    result = apply(vm, "clip", {result, rt::Scalar::weak(-1.0), rt::Scalar::weak(1.0)});
  }
  return wrap_result(vm, result);
}

// --- gradient ------------------------------------------------------------------------------------

rt::Array part(const rt::Array& array, int axis, int64_t from, int64_t to) {
  const int64_t at[] = {from, to};
  return rt::split(array, at, axis)[1];
}

// Central differences inside, one-sided at the ends.
rt::Array gradient_along(Interpreter& vm, const rt::Array& f, int axis, double step) {
  const int64_t n = f.shape()[axis];
  if (n < 2) {
    vm.raise_value_error(
        "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) "
        "elements "
        "are required.");
  }
  auto difference = [&](const rt::Array& high, const rt::Array& low, double width) {
    return apply(vm, "divide", {apply(vm, "subtract", {high, low}), rt::Scalar::weak(width)});
  };
  std::vector<rt::Array> parts = {difference(part(f, axis, 1, 2), part(f, axis, 0, 1), step)};
  if (n > 2) parts.push_back(difference(part(f, axis, 2, n), part(f, axis, 0, n - 2), 2 * step));
  parts.push_back(difference(part(f, axis, n - 1, n), part(f, axis, n - 2, n - 1), step));
  return rt::concatenate(session(vm), parts, axis);
}

Value gradient(Interpreter& vm, Args args) {
  const rt::Array f = array_argument(vm, args);
  Tuple& steps = *args[1].as<Tuple>();
  auto axes = to_axes(vm, args[2]);
  const bool single = axes && axes->size() == 1;
  if (!axes) {
    axes.emplace();
    for (int i = 0; i < f.rank(); ++i) axes->push_back(i);
  }
  if (steps.size > 1 && steps.size != axes->size())
    vm.raise_type_error("invalid number of arguments");
  std::vector<rt::Array> results;
  for (size_t i = 0; i < axes->size(); ++i) {
    const double step = steps.size == 0 ? 1 : vm.to_real(steps[steps.size == 1 ? 0 : i]);
    results.push_back(gradient_along(vm, f, rt::normalize_axis((*axes)[i], f.rank()), step));
  }
  if (single || results.size() == 1) return wrap_array(vm, results[0]);
  return wrap_list(vm, results, true);
}

constexpr const char* kQuantile =
    "(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False)";

const Native kFunctions[] = {
    {"median", "(a, axis=None, out=None, overwrite_input=False, keepdims=False)", median,
     "The middle of the sorted elements."},
    {"quantile", kQuantile, quantile<1>, "The elements that a fraction q lies below."},
    {"percentile", kQuantile, quantile<100>, "The elements that q percent lie below."},
    {"cov", "(m, y=None, rowvar=True, bias=False, ddof=None)", cov, "The covariance of variables."},
    {"corrcoef", "(x, y=None, rowvar=True)", corrcoef, "The correlation of variables."},
    {"gradient", "(f, *varargs, axis=None)", gradient, "The slope along each axis."},
};

}  // namespace

rt::Array median_of_last(Interpreter& vm, const rt::Array& array) {
  const int64_t count = array.shape().back();
  const bool even = count % 2 == 0;
  const int64_t kths[] = {even ? count / 2 - 1 : count / 2, count / 2};
  const rt::Array parted = parted_floats(vm, array, kths);
  rt::Array middle = at_end(vm, parted, kths[1]);
  if (even) {
    const rt::Array sum = apply(vm, "add", {at_end(vm, parted, kths[0]), middle});
    middle = apply(vm, "divide", {sum, rt::Scalar::weak(2.0)});
  }
  return spoilt_by_nan(vm, parted, middle);
}

Family statistics_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
