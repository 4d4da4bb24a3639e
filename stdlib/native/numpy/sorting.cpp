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

// The same of functions that refuse a bool.
std::optional<int64_t> argsort_axis(Interpreter& vm, const Value& axis) {
  if (axis.is_undefined()) return -1;
  return to_strict_axis(vm, axis);
}

// A number alone has no axis to sort along.
void require_axis(const rt::Array& array, std::optional<int64_t> axis) {
  if (axis) rt::normalize_axis(*axis, array.rank());
}

void refuse_order(Interpreter& vm, const Value& order) {
  if (is_given(order)) {
    vm.raise_value_error("Cannot specify order when the array has no fields.");
  }
}

// Every sort here is stable, whichever is asked for.
void check_kind(Interpreter& vm, const Value& kind, const Value& order) {
  refuse_order(vm, order);
  if (!is_given(kind)) return;
  const Str* name = kind.try_as<Str>();
  if (!name) vm.raise_type_error("sort kind must be str, not {}", vm.type_name(kind));
  const std::string_view text = name->view();
  if (text.empty() || std::string_view("qhmsQHMS").find(text[0]) == std::string_view::npos) {
    vm.raise_value_error("sort kind must be one of 'quick', 'heap', or 'stable' (got '{}')", text);
  }
}

void check_select_kind(Interpreter& vm, const Value& kind, const Value& order) {
  refuse_order(vm, order);
  if (kind.is_undefined()) return;
  const Str* name = kind.try_as<Str>();
  if (!name) vm.raise_type_error("select kind must be str, not {}", vm.type_name(kind));
  if (name->view() != "introselect") {
    vm.raise_value_error("select kind must be 'introselect' (got '{}')", name->view());
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
  const auto along = argsort_axis(vm, axis);
  require_axis(array, along);
  return wrap_array(vm, rt::argsort(session(vm), array, along));
}

[[noreturn]] void refuse_depth(Interpreter& vm) {
  vm.raise_value_error("object too deep for desired array");
}

// An int, or several in one axis.
std::vector<int64_t> to_kth(Interpreter& vm, const Value& value) {
  const Ndarray* array = as_ndarray(value);
  if (value.is_boolean() || (array && array->array.dtype() == rt::DType::kBool)) {
    vm.raise_value_error("Booleans unacceptable as partition index");
  }
  if (array && array->array.rank() > 1) refuse_depth(vm);
  if (array && rt::is_inexact(array->array.dtype())) {
    vm.raise_type_error("Partition index must be integer");
  }
  if (const List* list = value.try_as<List>()) {
    const auto is_list = [](const Value& item) { return item.is<List>() || item.is<Tuple>(); };
    if (std::ranges::any_of(list->items, is_list)) refuse_depth(vm);
  }
  return to_ints(vm, value);
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

rt::Array partitioned(Interpreter& vm, const rt::Array& array, const std::vector<int64_t>& kth,
                      const Value& axis) {
  const auto along = sort_axis(vm, axis);
  check_kth(vm, kth, array, along);
  return rt::partition(session(vm), array, kth, along);
}

Value partition(Interpreter& vm, const rt::Array& array, const Value& kth, const Value& axis,
                const Value& kind, const Value& order) {
  check_select_kind(vm, kind, order);
  return wrap_array(vm, partitioned(vm, array, to_kth(vm, kth), axis));
}

Value argpartition(Interpreter& vm, const rt::Array& array, const Value& kth, const Value& axis,
                   const Value& kind, const Value& order) {
  check_select_kind(vm, kind, order);
  const auto along = argsort_axis(vm, axis);
  const std::vector<int64_t> places = to_kth(vm, kth);
  check_kth(vm, places, array, along);
  return wrap_array(vm, rt::argpartition(session(vm), array, places, along));
}

// a.partition(kth): in place.
Value partition_method(Interpreter& vm, const rt::Array& array, const Value& kth, const Value& axis,
                       const Value& kind, const Value& order) {
  check_select_kind(vm, kind, order);
  rt::write(session(vm), array, partitioned(vm, array, to_kth(vm, kth), axis));
  return Value::none();
}

// The orders of rows by several keys, of which the last one decides first. All have the same shape
// with two axes.
rt::Array order_by_keys(Interpreter& vm, const std::vector<rt::Array>& keys) {
  rt::Session& state = session(vm);
  const rt::Dims shape = keys[0].shape();
  const rt::Array numbers = rt::iota(state, {shape[0], 1}, keys[0].space());
  const rt::Array begins = ops::multiply(vm, numbers, rt::Scalar::of(rt::DType::kInt64, shape[1]));
  const auto picked = [&](const rt::Array& rows, const rt::Array& order) {
    return rt::take(state, rows, ops::add(vm, order, begins), std::nullopt);
  };
  rt::Array order = rt::argsort(state, keys[0], -1);
  for (size_t i = 1; i < keys.size(); ++i) {
    order = picked(order, rt::argsort(state, picked(keys[i], order), -1));
  }
  return order;
}

Value lexsort(Interpreter& vm, const Namespace& names, const Value& sequence, const Value& axis) {
  std::vector<rt::Array> keys = array_list(vm, sequence, names);
  if (keys.empty()) vm.raise_type_error("need sequence of keys with len > 0 in lexsort");
  const int64_t wanted = vm.to_index(axis);
  const rt::Dims shape = keys[0].shape();
  for (rt::Array& key : keys) {
    if (!(key.shape() == shape)) vm.raise_value_error("all keys need to be the same shape");
    if (key.rank() == 0) key = rt::ravel(session(vm), key);
  }
  const int64_t from[] = {rt::normalize_axis(wanted, keys[0].rank())}, last[] = {-1};
  const rt::Dims moved = rt::move_axes(keys[0], from, last).shape();
  const int64_t extent = moved[moved.size() - 1];
  const int64_t rows = extent > 0 ? keys[0].size() / extent : 0;
  for (rt::Array& key : keys) {
    key = rt::reshape(session(vm), rt::move_axes(key, from, last), rt::Dims{rows, extent});
  }
  const rt::Array order = rt::reshape(session(vm), order_by_keys(vm, keys), moved);
  return wrap_result(vm, rt::reshape(session(vm), rt::move_axes(order, last, from), shape));
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
             const Value& axis_given, bool equal_nan, const Value&) {
  const auto axis = to_axis(vm, axis_given);
  const rt::UniqueParts parts{index, inverse, counts};
  const int along = axis ? rt::normalize_axis(*axis, array.rank()) : 0;
  const bool of_elements = !axis || array.rank() == 1;
  const bool tells_nans_apart = !equal_nan && rt::is_inexact(array.dtype());
  const rt::Unique found = !of_elements ? unique_slices(vm, array, along, parts)
                           : tells_nans_apart
                               ? unique_slices(vm, rt::ravel(session(vm), array), 0, parts)
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

// `kind` chooses NumPy's way, which here the elements do.
void check_isin_kind(Interpreter& vm, const rt::Array& elements, const rt::Array& set,
                     const Value& kind) {
  if (!is_given(kind)) return;
  const std::string_view name = kind.is<Str>() ? kind.as<Str>()->view() : "";
  if (name != "sort" && name != "table") {
    vm.raise_value_error("Invalid kind: '{}'. Please use None, 'sort' or 'table'.",
                         vm.to_str(kind));
  }
  if (name == "table" && (rt::is_inexact(elements.dtype()) || rt::is_inexact(set.dtype()))) {
    vm.raise_value_error(
        "The 'table' method is only supported for boolean or integer arrays. Please select 'sort' "
        "or "
        "None for kind.");
  }
}

Value isin(Interpreter& vm, const rt::Array& elements, const rt::Array& set, const Value&,
           bool invert, const Value& kind) {
  check_isin_kind(vm, elements, set, kind);
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

Value bincount(Interpreter& vm, const Namespace& names, const Value& x,
               std::optional<rt::Array> weights, int64_t least) {
  if (least < 0) vm.raise_value_error("'minlength' must not be negative");
  // The elements of a list are converted to integers; an array must be of integers.
  const bool list = x.is<List>() || x.is<Tuple>();
  if (list && rt::is_inexact(to_array(vm, x, kNumpy).dtype()) && vm.truth(x)) {
    vm.warn(vm.types.deprecation_warning,
            "Non-integer input passed to bincount. In a future version of NumPy, this will be an "
            "error. (Deprecated NumPy 2.1)");
  }
  const rt::Array array =
      list ? array_from_nested(vm, x, rt::DType::kInt64, names.space(session(vm)))
           : to_array(vm, x, names);
  return wrap_array(vm, rt::bincount(session(vm), array, weights ? &*weights : nullptr, least));
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
    {"isin", "(element, test_elements, assume_unique=False, invert=False, *, kind=None)",
     typed<isin>, "Where elements are among others."},
    {"searchsorted", "(a, v, side='left', sorter=None)", typed<searchsorted>,
     "Where elements would go in a sorted array."},
    {"bincount", "(x, /, weights=None, minlength=0)", typed<bincount>,
     "How often each small integer occurs."},
};
const Native kMethods[] = {
    {"sort", "(self, axis=<last>, kind=None, order=None, *, stable=None)", typed<sort_method>,
     "Sorts in place."},
    {"argsort", "(self, axis=<last>, kind=None, order=None, *, stable=None)", typed<argsort>,
     "The indices that sort the array."},
    {"partition", "(self, kth, axis=-1, kind='introselect', order=None)", typed<partition_method>,
     "Puts the kth element into its sorted place, in place."},
    {"argpartition", "(self, kth, axis=-1, kind='introselect', order=None)", typed<argpartition>,
     "The indices that partition the array."},
    {"searchsorted", "(self, v, side='left', sorter=None)", typed<searchsorted>,
     "Where elements would go in this sorted array."},
};

}  // namespace

Family sorting_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
