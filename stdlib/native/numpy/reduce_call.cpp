#include "stdlib/native/numpy/reduce_call.h"

#include "runtime/core/error.h"
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "src/array/errors.h"
#include "src/array/indexing.h"

namespace gpy::lib {

void check_loop_dtype(std::optional<rt::DType> dtype) {
  if (!dtype || dtype->is_native()) return;
  rt::fail(rt::ErrorKind::kType,
           "The `dtype` and `signature` arguments to ufuncs only select the general DType and not "
           "details such as the byte order or time unit. You can avoid this error by using the "
           "scalar types `np.float64` or the dtype string notation.");
}

std::optional<rt::DType> to_loop_dtype(Interpreter& vm, const Value& dtype) {
  const auto wanted = to_optional_dtype(vm, dtype);
  check_loop_dtype(wanted);
  return wanted;
}

rt::ReduceOptions reduce_options(const Axes& axis, std::optional<rt::DType> dtype,
                                 KeepDims keepdims) {
  check_loop_dtype(dtype);
  rt::ReduceOptions options;
  options.axes = axis;
  options.dtype = dtype;
  options.keepdims = keepdims.kept;
  return options;
}

// The initial value as a number; a 0-d array stands for its element.
static Value plain_initial(Interpreter& vm, const Value& initial, rt::DType dtype) {
  const Ndarray* array = as_ndarray(initial);
  const bool number = array && array->array.rank() == 0;
  return plain_element(vm, number ? wrap_result(vm, array->array) : initial, dtype);
}

void ReduceCall::read_initial(Interpreter& vm, rt::DType dtype) {
  if (!is_given(initial)) return;
  const Value plain = plain_initial(vm, initial, dtype);
  const auto number = try_number_for(vm, plain, dtype);
  if (!number) {
    static_cast<void>(stored_element(vm, plain, dtype, rt::Space::host()));
    vm.raise_type_error("initial must be a number, not '{}'", vm.type_name(initial));
  }
  options.initial = checked_cast(vm, plain, *number, dtype);
}

void ReduceCall::read_where(Interpreter& vm, const Value& mask, const Namespace& names) {
  if (!is_given(mask) || (mask.is_boolean() && mask.as_boolean())) return;
  where = to_mask(vm, mask, names);
}

const rt::ReduceOptions& ReduceCall::prepared() {
  if (where) options.where = &*where;
  return options;
}

void ReduceCall::warn_of_lost_parts(Interpreter& vm, rt::DType result) const {
  if (!rt::is_complex(array.dtype())) return;
  if (options.dtype) gpy::warn_of_lost_parts(vm, array.dtype(), *options.dtype);
  if (const Ndarray* target = to_out(vm, out)) {
    gpy::warn_of_lost_parts(vm, result, target->array.dtype());
  }
}

Value ReduceCall::run(Interpreter& vm, const rt::Reduction& reduction) {
  const Ndarray* target = to_out(vm, out);
  if (is_given(initial)) {
    read_initial(vm, rt::reduced_type(reduction, array.dtype(), options.dtype));
  }
  prepared();
  if (target) options.out = &target->array;
  if (rt::is_complex(array.dtype())) {
    warn_of_lost_parts(vm, rt::reduced_type(reduction, array.dtype(), options.dtype));
  }
  rt::Array result = rt::reduce(session(vm), reduction, array, options);
  return target ? out : wrap_result(vm, std::move(result));
}

namespace {

rt::Array joined(Interpreter& vm, const rt::Ufunc& ufunc, const std::array<rt::Operand, 2>& pair) {
  return rt::apply(session(vm), ufunc, pair, {}, rt::Space::host());
}

// With no axes to fold, the ufunc is still applied to the initial value.
rt::Array begun(Interpreter& vm, const rt::Ufunc& ufunc, const rt::Array& array,
                const rt::Scalar& initial) {
  const rt::Array first = rt::full(session(vm), {}, initial, array.dtype(), array.space());
  return joined(vm, ufunc, {first, array});
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
    totals.push_back(i == 0 ? next : joined(vm, ufunc, {totals.back(), next}));
  }
  return totals;
}

rt::Array ReduceCall::folded_where(Interpreter& vm, const rt::Ufunc& ufunc, const rt::Array& from,
                                   int axis, rt::Array total) {
  const rt::Array mask = rt::broadcast_to(as_array(vm, *where, from.space()), from.shape());
  for (int64_t i = 0; i < from.shape()[axis]; ++i) {
    vm.poll();
    const std::array<rt::Operand, 2> pair{total, slice_of(vm, from, axis, i)};
    const rt::Operand taken(slice_of(vm, mask, axis, i));
    rt::UfuncOptions into;
    into.casting = rt::Casting::kUnsafe;
    into.where = &taken;
    into.out = &total;
    rt::apply(session(vm), ufunc, pair, into, from.space());
  }
  return total;
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
  if (where) return folded_where(vm, ufunc, from, axis, total);
  for (int64_t i = options.initial ? 0 : 1; i < count; ++i) {
    vm.poll();
    total = joined(vm, ufunc, {total, slice_of(vm, from, axis, i)});
  }
  return total;
}

// The dtype to fold in: the dtype asked for, else that of `out`, decides the loop.
rt::DType ReduceCall::fold_type(Interpreter& vm, const rt::Ufunc& ufunc) {
  if (ufunc.loops.back().out == rt::DType::kBool) return options.dtype.value_or(array.dtype());
  const Ndarray* target = to_out(vm, out);
  const auto wanted = options.dtype || !target ? options.dtype : target->array.dtype();
  const rt::Operand both[] = {array.as_array(), array.as_array()};
  return rt::resolve_loop(ufunc, rt::Terms(both), wanted).signature().out;
}

Value ReduceCall::fold(Interpreter& vm, const rt::Ufunc& ufunc) {
  if (where && !is_given(initial)) {
    vm.raise_value_error(
        "reduction operation '{}' does not have an identity, so to use a where mask one has to "
        "specify 'initial'",
        ufunc.name);
  }
  require_foldable(vm, ufunc, options.dtype.value_or(array.dtype()));
  std::vector<int64_t> axes = folded_axes(options.axes, array.rank());
  if (axes.size() > 1) {
    vm.raise_value_error(
        "reduction operation '{}' is not reorderable, so at most one axis may be specified",
        ufunc.name);
  }
  const rt::DType dtype = fold_type(vm, ufunc);
  read_initial(vm, dtype);
  rt::Array total = rt::astype(session(vm), array, dtype, rt::Casting::kUnsafe, false);
  bool is_new = axes.empty() && options.initial;
  if (is_new) total = begun(vm, ufunc, total, *options.initial);
  for (int64_t axis : axes) {
    is_new |= options.initial || total.shape()[static_cast<int>(axis)] > 1;
    total = folded(vm, ufunc, total, static_cast<int>(axis));
  }
  // A result that needed no computation would be a view of the argument.
  if (!is_new) total = rt::copy(session(vm), total);
  if (options.keepdims) total = rt::expand_dims(total, axes);
  return finish(vm, total, out);
}

}  // namespace gpy::lib
