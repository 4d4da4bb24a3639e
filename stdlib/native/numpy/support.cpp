#include "stdlib/native/numpy/support.h"

#include "runtime/graph/events.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/reduce.h"
#include "src/array/errors.h"
#include "src/array/nested.h"
#include "src/memory/pieces.h"

namespace gpy::lib {

Value finish(Interpreter& vm, rt::Array result, const Value& out) {
  const Ndarray* target = to_out(vm, out);
  if (!target) return wrap_result(vm, std::move(result));
  if (!target->array.writeable()) vm.raise_value_error("output array is read-only");
  if (!(target->array.shape() == result.shape())) {
    vm.raise_value_error("output parameter has the wrong shape: got {}, expected {}",
                         rt::tuple_text(target->array.shape()), rt::tuple_text(result.shape()));
  }
  if (!rt::can_cast(result.dtype(), target->array.dtype(), rt::Casting::kSameKind)) {
    vm.raise_type_error(
        "Cannot cast array data from dtype('{}') to dtype('{}') according to the rule "
        "'same_kind'",
        rt::name(result.dtype()), rt::name(target->array.dtype()));
  }
  rt::write(session(vm), target->array, result);
  return as_ndarray(out) ? out : (*out.as<Tuple>())[0];
}

Value finish_unsafe(Interpreter& vm, rt::Array result, const Value& out) {
  if (const Ndarray* target = to_out(vm, out)) {
    result = rt::astype(session(vm), result, target->array.dtype(), rt::Casting::kUnsafe, false);
  }
  return finish(vm, std::move(result), out);
}

void check_out_tuple(Interpreter& vm, const Value& out) {
  Tuple* tuple = out.try_as<Tuple>();
  if (tuple && tuple->size != 1) {
    vm.raise_value_error("The 'out' tuple must have exactly one entry per ufunc output");
  }
}

rt::Operand truth_of(Interpreter& vm, const rt::Operand& operand) {
  if (!operand.is_array()) return rt::Scalar(operand.scalar().truth());
  return rt::astype(session(vm), operand.array(), rt::DType::kBool, rt::Casting::kUnsafe, false);
}

rt::Operand to_mask(Interpreter& vm, const Value& value, const Namespace& names) {
  const rt::Operand operand = to_operand(vm, value, names);
  if (!as_ndarray(value)) return truth_of(vm, operand);
  return rt::astype(session(vm), operand.array(), rt::DType::kBool, rt::Casting::kSafe, false);
}

static bool tells_events(Interpreter& vm, const rt::Array& array) {
  return session(vm).backend_of(array.space()).is_host();
}

void warn_about(Interpreter& vm, const rt::Array& array, const char* message) {
  rt::Session& state = session(vm);
  if (tells_events(vm, array) && state.warn) state.warn(message, {});
}

void warn_where(Interpreter& vm, const rt::Array& when, const char* message) {
  if (!tells_events(vm, when)) return;
  const rt::Array any = rt::reduce(session(vm), rt::Fold::logical_or, when, {});
  if (rt::item(session(vm), any).truth()) warn_about(vm, when, message);
}

std::vector<rt::Array> array_list(Interpreter& vm, const Value& sequence, const Namespace& names) {
  std::vector<rt::Array> arrays;
  for (const Value& item : vm.collect(sequence)) {
    poll_interrupt(vm);
    append_item(vm, arrays, to_array(vm, item, names));
  }
  return arrays;
}

Value wrap_list(Interpreter& vm, std::span<const rt::Array> arrays, bool as_tuple) {
  std::vector<Value> items;
  for (const rt::Array& array : arrays) {
    poll_interrupt(vm);
    append_item(vm, items, wrap_array(vm, array));
  }
  return as_tuple ? vm.tuple(items) : vm.list(std::move(items));
}

rt::Operand cast_number(const rt::Operand& operand, rt::DType dtype) {
  return operand.is_array() ? operand : rt::Operand(operand.scalar().cast(dtype));
}

std::vector<rt::Operand> operand_list(Interpreter& vm, const Value& sequence,
                                      const Namespace& names) {
  std::vector<rt::Operand> operands;
  for (const Value& item : vm.collect(sequence)) {
    poll_interrupt(vm);
    operands.push_back(to_operand(vm, item, names));
  }
  return operands;
}

rt::Scalar fill_number(Interpreter& vm, const Value& value, const rt::Scalar& number,
                       rt::DType dtype) {
  if (!rt::is_inexact(number.dtype())) return checked_cast(vm, value, number, dtype);
  warn_of_lost_parts(vm, number.dtype(), dtype);
  rt::tell_cast_events(session(vm), number, dtype, {});
  return number.cast(dtype);
}

rt::Array fill_array(Interpreter& vm, const Value& value, std::optional<rt::DType> dtype,
                     const Namespace& names) {
  if (!dtype || as_ndarray(value)) return to_array(vm, value, names);
  return array_from_nested(vm, value, dtype, names.space(session(vm)));
}

void refuse_argument(Interpreter& vm, const Value& value, std::string_view function,
                     std::string_view name) {
  if (!is_given(value)) return;
  vm.raise_not_implemented_error("{}: {}= is not supported", function, name);
}

}  // namespace gpy::lib
