#include "stdlib/native/numpy/reduce_call.h"

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
  where = to_operand(vm, mask, names);
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

Value ReduceCall::fold(Interpreter& vm, const rt::Ufunc& ufunc) {
  if (where || options.initial || !options.axes || options.axes->size() != 1) {
    vm.raise_not_implemented_error("{}.reduce: only axis=, dtype=, out= and keepdims= are supported",
                                   ufunc.name);
  }
  const int axis = rt::normalize_axis((*options.axes)[0], array.rank());
  const int64_t count = array.shape()[axis];
  if (count == 0) {
    vm.raise_value_error(
        "zero-size array to reduction operation {} which has no identity", ufunc.name);
  }
  std::vector<rt::IndexItem> items(static_cast<size_t>(axis), rt::SliceIndex{});
  items.emplace_back(int64_t{0});
  rt::Array total = rt::get_items(session(vm), array, items);
  for (int64_t i = 1; i < count; ++i) {
    items[axis] = i;
    total = rt::apply(session(vm), ufunc.name, {total, rt::get_items(session(vm), array, items)},
                      array.space());
  }
  const int64_t kept[] = {axis};
  if (options.keepdims) total = rt::expand_dims(total, kept);
  return finish(vm, total, out);
}

}  // namespace gpy::lib
