#include "stdlib/native/numpy/reduce_call.h"

#include <algorithm>

#include "runtime/ops/create.h"
#include "runtime/ops/index.h"

namespace gpy::lib {

void ReduceCall::read_initial(Interpreter& vm, const Value& initial) {
  if (!is_given(initial)) return;
  if (auto number = try_number(vm, initial)) {
    options.initial = *number;
  } else {
    vm.raise_type_error("initial must be a number, not '{}'", vm.type_name(initial));
  }
}

void ReduceCall::read_where(Interpreter& vm, const Value& mask, const Namespace& names) {
  if (!is_given(mask) || (mask.is_boolean() && mask.as_boolean())) return;
  where = to_mask(vm, mask, names);
}

const rt::ReduceOptions& ReduceCall::prepared() {
  if (where) options.where = &*where;
  return options;
}

Value ReduceCall::run(Interpreter& vm, std::string_view reduction) {
  const Ndarray* target = to_out(vm, out);
  prepared();
  if (target) options.out = &target->array;
  rt::Array result = rt::reduce(session(vm), reduction, array, options);
  return target ? out : wrap_result(vm, std::move(result));
}

namespace {

// The order of these does not matter, so several axes may go at once.
bool is_reorderable(std::string_view ufunc) {
  return ufunc == "gcd" || ufunc == "lcm" || ufunc == "logaddexp" || ufunc == "logaddexp2";
}

std::vector<int64_t> folded_axes(const std::optional<std::vector<int64_t>>& axes, int rank) {
  std::vector<int64_t> all;
  if (!axes) {
    for (int i = 0; i < rank; ++i) all.push_back(i);
  } else if (rank > 0 || axes->size() != 1 || ((*axes)[0] != 0 && (*axes)[0] != -1)) {
    for (int64_t axis : *axes) all.push_back(rt::normalize_axis(axis, rank));
  }
  return all;
}

rt::Array slice_of(Interpreter& vm, const rt::Array& array, int axis, int64_t i) {
  std::vector<rt::IndexItem> items(static_cast<size_t>(axis), rt::SliceIndex{});
  items.emplace_back(i);
  return rt::get_items(session(vm), array, items);
}

}  // namespace

void require_foldable(Interpreter& vm, const rt::Ufunc& ufunc, rt::DType dtype) {
  const bool tests = ufunc.loops.back().out == rt::DType::kBool;
  if (!tests || dtype == rt::DType::kBool) return;
  vm.raise_type_error("No loop matching the specified signature and casting was found for ufunc {}",
                      ufunc.name);
}

std::vector<rt::Array> running(Interpreter& vm, const rt::Ufunc& ufunc, const rt::Array& array,
                               int axis) {
  std::vector<rt::Array> totals;
  for (int64_t i = 0; i < array.shape()[axis]; ++i) {
    vm.poll();
    const rt::Array next = slice_of(vm, array, axis, i);
    totals.push_back(
        i == 0 ? next : rt::apply(session(vm), ufunc.name, {totals.back(), next}, array.space()));
  }
  return totals;
}

rt::Array ReduceCall::folded(Interpreter& vm, const rt::Ufunc& ufunc, const rt::Array& from,
                             int axis) {
  const int64_t count = from.shape()[axis];
  if (count == 0 && !options.initial) {
    vm.raise_value_error("zero-size array to reduction operation {} which has no identity",
                         ufunc.name);
  }
  rt::Dims shape = from.shape();
  shape.erase(axis);
  rt::Array total = options.initial
                        ? rt::full(session(vm), shape, *options.initial, from.dtype(), from.space())
                        : slice_of(vm, from, axis, 0);
  for (int64_t i = options.initial ? 0 : 1; i < count; ++i) {
    vm.poll();
    total = rt::apply(session(vm), ufunc.name, {total, slice_of(vm, from, axis, i)}, from.space());
  }
  return total;
}

// What is folded: the dtype asked for, else that of `out`, decide the loop.
rt::DType ReduceCall::fold_type(Interpreter& vm, const rt::Ufunc& ufunc) {
  if (ufunc.loops.back().out == rt::DType::kBool) return options.dtype.value_or(array.dtype());
  const Ndarray* target = to_out(vm, out);
  const auto wanted = options.dtype || !target ? options.dtype : target->array.dtype();
  const rt::Operand both[] = {array.as_array(), array.as_array()};
  return rt::resolve_loop(ufunc, both, wanted).signature().out;
}

Value ReduceCall::fold(Interpreter& vm, const rt::Ufunc& ufunc) {
  if (where) vm.raise_not_implemented_error("{}.reduce: where= is not supported", ufunc.name);
  require_foldable(vm, ufunc, options.dtype.value_or(array.dtype()));
  std::vector<int64_t> axes = folded_axes(options.axes, array.rank());
  if (axes.size() > 1 && !is_reorderable(ufunc.name)) {
    vm.raise_value_error(
        "reduction operation '{}' is not reorderable, so at most one axis may be specified",
        ufunc.name);
  }
  std::sort(axes.rbegin(), axes.rend());
  rt::Array total =
      rt::astype(session(vm), array, fold_type(vm, ufunc), rt::Casting::kUnsafe, false);
  bool is_new = false;
  for (int64_t axis : axes) {
    is_new |= options.initial || total.shape()[static_cast<int>(axis)] > 1;
    total = folded(vm, ufunc, total, static_cast<int>(axis));
  }
  // A result that was not computed would be a view of the argument.
  if (!is_new) total = rt::copy(session(vm), total);
  if (options.keepdims) total = rt::expand_dims(total, axes);
  return finish(vm, total, out);
}

}  // namespace gpy::lib
