// Order: sorting, searching, counting.
#include "runtime/ops/sorting.h"

#include <cmath>
#include <complex>

#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "src/array/nested.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/comparison.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// axis=None sorts the flattened array; omitted is the last axis.
std::optional<int64_t> sort_axis(Interpreter& vm, const Value& axis) {
  if (axis.is_undefined()) return -1;
  return to_axis(vm, axis);
}

// A number alone has no axis to sort along.
void require_axis(const rt::Array& array, std::optional<int64_t> axis) {
  if (axis) rt::normalize_axis(*axis, array.rank());
}

// Every sort here is stable, whichever is asked for.
void check_kind(Interpreter& vm, const Value& kind, const Value& order) {
  if (is_given(order)) {
    vm.raise_value_error("Cannot specify order when the array has no fields.");
  }
  if (!is_given(kind)) return;
  const Str* name = kind.try_as<Str>();
  if (!name) vm.raise_type_error("sort kind must be str, not {}", vm.type_name(kind));
  const std::string_view text = name->view();
  if (text.empty() || std::string_view("qhmsQHMS").find(text[0]) == std::string_view::npos) {
    vm.raise_value_error("sort kind must be one of 'quick', 'heap', or 'stable' (got '{}')", text);
  }
}

rt::Array sorted(Interpreter& vm, const rt::Array& array, const Value& axis, const Value& kind,
                 const Value& order) {
  check_kind(vm, kind, order);
  const auto along = sort_axis(vm, axis);
  require_axis(array, along);
  return rt::sort(session(vm), array, along);
}

Value sort(Interpreter& vm, const rt::Array& array, const Value& axis, const Value& kind,
           const Value& order, const Value&) {
  return wrap_array(vm, sorted(vm, array, axis, kind, order));
}

// a.sort(): in place.
Value sort_method(Interpreter& vm, const rt::Array& array, const Value& axis, const Value& kind,
                  const Value& order, const Value&) {
  rt::write(session(vm), array, sorted(vm, array, axis, kind, order));
  return Value::none();
}

Value argsort(Interpreter& vm, rt::Array array, const Value& axis, const Value& kind,
              const Value& order, const Value&) {
  check_kind(vm, kind, order);
  if (array.rank() == 0) array = rt::ravel(session(vm), array);
  const auto along = sort_axis(vm, axis);
  require_axis(array, along);
  return wrap_array(vm, rt::argsort(session(vm), array, along));
}

void check_kth(Interpreter& vm, std::span<const int64_t> kth, const rt::Array& array,
               std::optional<int64_t> axis) {
  if (array.size() == 0) return;
  const int64_t extent =
      axis ? array.shape()[rt::normalize_axis(*axis, array.rank())] : array.size();
  for (int64_t at : kth) {
    const int64_t place = at < 0 ? at + extent : at;
    if (place < 0 || place >= extent)
      vm.raise_value_error("kth(={}) out of bounds ({})", place, extent);
  }
}

Value partition(Interpreter& vm, const rt::Array& array, const std::vector<int64_t>& kth,
                const Value& axis, const Value&, const Value&) {
  const auto along = sort_axis(vm, axis);
  check_kth(vm, kth, array, along);
  return wrap_array(vm, rt::partition(session(vm), array, kth, along));
}

Value argpartition(Interpreter& vm, const rt::Array& array, const std::vector<int64_t>& kth,
                   const Value& axis, const Value&, const Value&) {
  const auto along = sort_axis(vm, axis);
  check_kth(vm, kth, array, along);
  return wrap_array(vm, rt::argpartition(session(vm), array, kth, along));
}

// The last key decides first.
Value lexsort(Interpreter& vm, const Namespace& names, const Value& sequence, const Value&) {
  const std::vector<rt::Array> keys = array_list(vm, sequence, names);
  if (keys.empty()) vm.raise_type_error("need sequence of keys with len > 0 in lexsort");
  rt::Session& state = session(vm);
  rt::Array order = rt::argsort(state, keys[0], -1);
  for (size_t i = 1; i < keys.size(); ++i) {
    const rt::Array picked = rt::take(state, keys[i], order, 0);
    order = rt::take(state, order, rt::argsort(state, picked, -1), 0);
  }
  return wrap_array(vm, order);
}

// --- distinct elements ---------------------------------------------------------------------------

// The rows of a matrix in their order, the first column deciding first; stable.
rt::Array order_of_rows(rt::Session& state, const rt::Array& rows) {
  const int64_t columns = rows.shape()[1];
  rt::Array order = rt::iota(state, {rows.shape()[0]}, rows.space());
  for (int64_t column = columns - 1; column >= 0; --column) {
    const std::vector<rt::IndexItem> items{rt::SliceIndex{}, column};
    const rt::Array keys = rt::take(state, rt::get_items(state, rows, items), order, 0);
    order = rt::take(state, order, rt::argsort(state, keys, 0), 0);
  }
  return order;
}

// Distinct slices along an axis: equal rows of a sorted matrix are adjacent, and the number of its
// run stands for each row.
rt::Unique unique_slices(Interpreter& vm, const rt::Array& array, int axis, rt::UniqueParts parts) {
  parts.index = true;
  rt::Session& state = session(vm);
  const int64_t from[] = {axis}, to[] = {0};
  const rt::Array moved = rt::move_axes(array, from, to);
  const int64_t count = moved.shape()[0], columns = count ? array.size() / count : 0;
  const rt::Array rows = rt::reshape(state, moved, rt::Dims{count, columns});
  const rt::Array order = order_of_rows(state, rows);
  const rt::Array sorted = rt::take(state, rows, order, 0);
  rt::Array run = rt::iota(state, {count}, array.space());
  if (count > 0) {
    const std::vector<rt::IndexItem> later{rt::SliceIndex{1, {}, {}}},
        earlier{rt::SliceIndex{{}, -1, {}}};
    rt::ReduceOptions along;
    along.axes = {1};
    const rt::Array differs = rt::reduce(state, rt::Fold::logical_or,
                                         ops::not_equal(vm, rt::get_items(state, sorted, later),
                                                        rt::get_items(state, sorted, earlier)),
                                         along);
    run = rt::full(state, {count}, rt::Scalar(false), rt::DType::kInt64, array.space());
    rt::set_items(state, run, later,
                  rt::accumulate(state, rt::Fold::add, differs, 0, rt::DType::kInt64, nullptr));
  }
  rt::Array run_of_row = rt::empty(state, {count}, rt::DType::kInt64, array.space());
  rt::set_items(state, run_of_row, std::vector<rt::IndexItem>{order}, run);
  rt::Unique found = rt::unique(state, run_of_row, parts);
  found.values = rt::move_axes(rt::take(state, moved, found.index, 0), to, from);
  return found;
}

Value unique(Interpreter& vm, const rt::Array& array, bool index, bool inverse, bool counts,
             Axis axis, const Value&, const Value&) {
  const rt::UniqueParts parts{index, inverse, counts};
  const rt::Unique found =
      axis ? unique_slices(vm, array, rt::normalize_axis(*axis, array.rank()), parts)
           : rt::unique(session(vm), array, parts);
  std::vector<Value> results = {wrap_array(vm, found.values)};
  if (parts.index) results.push_back(wrap_array(vm, found.index));
  if (parts.inverse) {
    const rt::Dims shape = axis ? found.inverse.shape() : array.shape();
    results.push_back(wrap_array(vm, rt::reshape(session(vm), found.inverse, shape)));
  }
  if (parts.counts) results.push_back(wrap_array(vm, found.counts));
  return results.size() == 1 ? results[0] : vm.tuple(results);
}

Value isin(Interpreter& vm, const rt::Array& elements, const rt::Array& set, const Value&,
           bool invert) {
  const rt::Array found = rt::isin(session(vm), elements, set);
  return wrap_array(vm, invert ? ops::logical_not(vm, found) : found);
}

// --- searching and counting ----------------------------------------------------------------------

// The array in the order of `sorter`.
rt::Array sorted_by(Interpreter& vm, const rt::Array& array, const rt::Array& sorter) {
  if (sorter.rank() != 1) vm.raise_type_error("could not parse sorter argument");
  if (!rt::is_integer(sorter.dtype()) && sorter.dtype() != rt::DType::kBool) {
    vm.raise_type_error("sorter must only contain integers");
  }
  if (sorter.size() != array.size()) vm.raise_value_error("sorter.size must equal a.size");
  const rt::Array low = ops::less(vm, sorter, rt::Scalar::weak(int64_t{0}));
  const rt::Array high = ops::greater_equal(vm, sorter, rt::Scalar::weak(array.size()));
  const rt::Array outside =
      rt::reduce(session(vm), rt::Fold::logical_or, ops::logical_or(vm, low, high), {});
  if (rt::item(session(vm), outside).truth()) vm.raise_value_error("Sorter index out of range.");
  return rt::take(session(vm), array, sorter, 0);
}

Value searchsorted(Interpreter& vm, const rt::Array& array, const rt::Array& values,
                   std::string_view side, std::optional<rt::Array> sorter) {
  if (side != "left" && side != "right") {
    vm.raise_value_error("search side must be 'left' or 'right' (got '{}')", side);
  }
  const rt::Array sorted = sorter ? sorted_by(vm, array, *sorter) : array;
  return wrap_result(vm, rt::searchsorted(session(vm), sorted, values, side == "right"));
}

using Relation = decltype(ops::less);

// Whether neighbours in a row are in a relation, the later one first: `fold` of all pairs.
bool fold_steps(Interpreter& vm, const rt::Array& row, const Relation& relation, rt::Fold fold) {
  const int64_t first[] = {1};
  const int64_t last[] = {row.size() - 1};
  const rt::Array steps = relation(vm, rt::split(row, first, 0)[1], rt::split(row, last, 0)[0]);
  return rt::item(session(vm), rt::reduce(session(vm), fold, steps, {})).truth();
}

bool any_step(Interpreter& vm, const rt::Array& row, const Relation& relation) {
  return row.size() > 1 && fold_steps(vm, row, relation, rt::Fold::logical_or);
}

bool all_steps(Interpreter& vm, const rt::Array& row, const Relation& relation) {
  return row.size() < 2 || fold_steps(vm, row, relation, rt::Fold::logical_and);
}

// bins[i-1] <= x < bins[i], or bins[i-1] > x >= bins[i] of decreasing bins.
Value digitize(Interpreter& vm, const rt::Array& x, const rt::Array& bins, bool right) {
  if (rt::is_complex(x.dtype())) vm.raise_type_error("x may not be complex");
  const bool falling = bins.rank() == 1 && any_step(vm, bins, ops::less);
  if (falling && any_step(vm, bins, ops::greater)) {
    vm.raise_value_error("bins must be monotonically increasing or decreasing");
  }
  if (!falling) return wrap_result(vm, rt::searchsorted(session(vm), bins, x, !right));
  const int64_t axes[] = {0};
  const rt::Array at = rt::searchsorted(session(vm), rt::flip(bins, axes), x, !right);
  return wrap_result(vm, ops::subtract(vm, rt::Scalar::weak(bins.size()), at));
}

Value bincount(Interpreter& vm, const Namespace& names, const Value& x,
               std::optional<rt::Array> weights, int64_t least) {
  if (least < 0) vm.raise_value_error("'minlength' must not be negative");
  // The elements of a list are converted to integers; an array must be of integers.
  const bool list = x.is<List>() || x.is<Tuple>();
  const rt::Array array =
      list ? array_from_nested(vm, x, rt::DType::kInt64, names.space(session(vm)))
           : to_array(vm, x, names);
  return wrap_array(vm, rt::bincount(session(vm), array, weights ? &*weights : nullptr, least));
}

double number_at(Interpreter& vm, const rt::Array& array) {
  return rt::item(session(vm), array).as_double();
}

std::pair<double, double> histogram_range(Interpreter& vm, const rt::Array& array,
                                          const Value& range) {
  double low = 0, high = 1;
  if (is_given(range)) {
    const std::vector<Value> ends = vm.collect(range);
    if (ends.size() != 2) vm.raise_value_error("range must have two elements");
    low = vm.to_real(ends[0]), high = vm.to_real(ends[1]);
    if (low > high) vm.raise_value_error("max must be larger than min in range parameter.");
  } else if (array.size() > 0) {
    low = number_at(vm, rt::reduce(session(vm), rt::Fold::minimum, array, {}));
    high = number_at(vm, rt::reduce(session(vm), rt::Fold::maximum, array, {}));
  }
  if (!std::isfinite(low) || !std::isfinite(high)) {
    vm.raise_value_error("{} range of [{}, {}] is not finite",
                         is_given(range) ? "supplied" : "autodetected", low, high);
  }
  if (low == high) low -= 0.5, high += 0.5;
  return {low, high};
}

void require_increasing(Interpreter& vm, const rt::Array& edges) {
  if (edges.rank() != 1) vm.raise_value_error("`bins` must be 1d, when an array");
  if (any_step(vm, edges, ops::less)) {
    vm.raise_value_error("`bins` must increase monotonically, when an array");
  }
}

// Edges are NaN or equal where a range is too wide for differences, or too narrow for so many
// bins.
void require_finite_bins(Interpreter& vm, const rt::Array& edges, int64_t bins) {
  if (all_steps(vm, edges, ops::greater)) return;
  vm.raise_value_error("Too many bins for data range. Cannot create {} finite-sized bins.", bins);
}

// Refuses rules that choose bins from the data.
void refuse_estimator(Interpreter& vm, const Value& bins) {
  if (!bins.is<Str>()) return;
  const std::string_view name = bins.as<Str>()->view();
  for (const char* known : {"auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges"}) {
    if (name != known) continue;
    vm.raise_not_implemented_error(
        "histogram: bins='{}' is not supported: give their number or edges", name);
  }
  vm.raise_value_error("'{}' is not a valid estimator for `bins`", name);
}

// The edges of so many bins between the ends, or the edges given.
rt::Array histogram_edges(Interpreter& vm, const Namespace& names, const Value& bins,
                          const Value& range, const rt::Array& array) {
  refuse_estimator(vm, bins);
  const Ndarray* given = as_ndarray(bins);
  if (given ? given->array.rank() > 0 : !vm.has_index(bins)) {
    rt::Array edges = to_array(vm, bins, names);
    if (edges.rank() == 0) vm.raise_type_error("`bins` must be an integer, a string, or an array");
    require_increasing(vm, edges);
    return edges;
  }
  const int64_t count = vm.to_index(bins);
  if (count < 1) vm.raise_value_error("`bins` must be positive, when an integer");
  const auto [low, high] = histogram_range(vm, array, range);
  const rt::DType dtype = rt::is_inexact(array.dtype()) ? array.dtype() : rt::DType::kFloat64;
  const Quiet quiet(session(vm));  // the check reports overflows
  const rt::Array edges =
      rt::linspace(session(vm), low, high, rt::checked_sum(count, 1), true, dtype, array.space());
  require_finite_bins(vm, edges, count);
  return edges;
}

// The counts scaled so that the areas of the bins add up to 1.
rt::Array histogram_density(Interpreter& vm, const rt::Array& counts, const rt::Array& edges) {
  const int64_t first[] = {1};
  const int64_t last[] = {edges.size() - 1};
  const rt::Array widths =
      ops::subtract(vm, rt::split(edges, first, 0)[1], rt::split(edges, last, 0)[0]);
  const rt::Array total = rt::reduce(session(vm), rt::Fold::add, counts, {});
  return ops::divide(vm, ops::divide(vm, counts, widths), total);
}

// The counts, or the sums of the weights in each bin, whose real and imaginary parts are summed
// apart.
rt::Array weighted_counts(Interpreter& vm, const rt::Array& array, const rt::Array& edges,
                          const rt::Array* weights) {
  rt::Session& state = session(vm);
  if (!weights || !rt::is_complex(weights->dtype())) {
    return rt::histogram_counts(state, array, edges, weights);
  }
  const rt::Array real = rt::real_part(*weights), imag = rt::imag_part(state, *weights);
  const rt::Array sums = rt::histogram_counts(state, array, edges, &imag);
  const rt::Scalar i = rt::Scalar::weak(std::complex<double>(0, 1));
  return ops::add(vm, rt::histogram_counts(state, array, edges, &real), ops::multiply(vm, sums, i));
}

Value histogram(Interpreter& vm, const Namespace& names, const rt::Array& whole, const Value& bins,
                const Value& range, std::optional<bool> density, std::optional<rt::Array> weights) {
  rt::Session& state = session(vm);
  if (rt::is_complex(whole.dtype())) {
    vm.raise_not_implemented_error("histogram: complex numbers are not supported");
  }
  if (weights) {
    if (!(weights->shape() == whole.shape())) {
      vm.raise_value_error("weights should have the same shape as a.");
    }
    weights = rt::ravel(state, *weights);
  }
  const rt::Array array = rt::ravel(state, whole);
  const rt::Array edges = histogram_edges(vm, names, bins, range, array);
  rt::Array counts = weighted_counts(vm, array, edges, weights ? &*weights : nullptr);
  if (weights && !rt::is_inexact(weights->dtype())) {
    counts = rt::astype(state, counts, weights->dtype());
  }
  if (density.value_or(false)) counts = histogram_density(vm, counts, edges);
  return vm.tuple({wrap_array(vm, counts), wrap_array(vm, edges)});
}

const Native kFunctions[] = {
    {"sort", "(a, axis=<last>, kind=None, order=None, *, stable=None)", typed<sort>,
     "A sorted copy; nan last."},
    {"argsort", "(a, axis=<last>, kind=None, order=None, *, stable=None)", typed<argsort>,
     "The indices that sort an array."},
    {"partition", "(a, kth, axis=<last>, kind='introselect', order=None)", typed<partition>,
     "A copy with its kth element in its sorted place."},
    {"argpartition", "(a, kth, axis=<last>, kind='introselect', order=None)", typed<argpartition>,
     "The indices that partition an array."},
    {"lexsort", "(keys, axis=-1)", typed<lexsort>,
     "The indices that sort by several keys, the last one first."},
    {"unique",
     "(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, "
     "equal_nan=True, sorted=True)",
     typed<unique>, "The distinct elements, sorted."},
    {"isin", "(element, test_elements, assume_unique=False, invert=False)", typed<isin>,
     "Where elements are among others."},
    {"searchsorted", "(a, v, side='left', sorter=None)", typed<searchsorted>,
     "Where elements would go in a sorted array."},
    {"digitize", "(x, bins, right=False)", typed<digitize>, "The bin that each element is in."},
    {"bincount", "(x, /, weights=None, minlength=0)", typed<bincount>,
     "How often each small integer occurs."},
    {"histogram", "(a, bins=10, range=None, density=None, weights=None)", typed<histogram>,
     "How many elements each bin holds, and the bins' edges."},
};
const Native kMethods[] = {
    {"sort", "(self, axis=<last>, kind=None, order=None, *, stable=None)", typed<sort_method>,
     "Sorts in place."},
    {"argsort", "(self, axis=<last>, kind=None, order=None, *, stable=None)", typed<argsort>,
     "The indices that sort the array."},
    {"searchsorted", "(self, v, side='left', sorter=None)", typed<searchsorted>,
     "Where elements would go in this sorted array."},
};

}  // namespace

Family sorting_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
