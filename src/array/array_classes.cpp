#include "src/array/array_classes.h"

#include <algorithm>
#include <cmath>

#include "src/array/indexing.h"
#include "src/array/object_operands.h"
#include "src/array/operators.h"
#include "src/array/print.h"
#include "src/classes/class_iterator.h"
#include "src/classes/class_slots.h"
#include "src/memory/traverse.h"
#include "src/objects/function.h"
#include "src/run/run.h"

namespace gpy {

// --- objects of a class --------------------------------------------------------------------------

static const Value* own_special(Interpreter& vm, const Value& value, std::string_view name) {
  if (!value.is_object()) return nullptr;
  Type* type = value.as_object()->type;
  return type->is_class ? find_special(vm, type, name) : nullptr;
}

static void finalise(Interpreter& vm, const Value& made, const Value& from) {
  const Value* method = own_special(vm, made, "__array_finalize__");
  if (method && !method->is_none()) call_special(vm, *method, made, {from});
}

static Value as_type(Interpreter& vm, Type* type, const Ndarray& array) {
  auto object = vm.make<Ndarray>(type, array.array, array.owner);
  object->frozen = array.frozen;
  return object;
}

Value adopt_array(Interpreter& vm, Type* type, const Value& made, const Value& from) {
  const Ndarray* array = as_ndarray(made);
  if (!array || array->type->is_class || !type->is_subclass_of(array->type)) return made;
  Value object = as_type(vm, type, *array);
  finalise(vm, object, from);
  return object;
}

Value without_array_class(Interpreter& vm, const Value& value) {
  if (!is_of_array_class(value)) return value;
  return wrap_view(vm, as_ndarray(value)->array, value);
}

// --- the class of a result -----------------------------------------------------------------------

static double priority_of(Interpreter& vm, const Value& value) {
  const Value found = vm.try_get_attribute(value, vm.intern("__array_priority__"));
  if (found.is_defined()) return vm.to_real(found);
  return as_ndarray(value) ? 0.0 : -1e6;
}

static bool may_lead(Interpreter& vm, const Value& value) {
  return is_of_array_class(value) || own_special(vm, value, "__array_wrap__");
}

Value leading_operand(Interpreter& vm, std::span<const Value> operands) {
  // A script's __array_priority__ may change the list that the operands are in.
  const std::vector<Value> kept(operands.begin(), operands.end());
  Value best;
  double highest = -INFINITY;
  for (const Value& each : kept) {
    if (!may_lead(vm, each)) {
      // A plain array has priority 0, and gives way to a class that has the same.
      if (as_ndarray(each) && highest < 0) best = Value(), highest = 0;
      continue;
    }
    const double priority = priority_of(vm, each);
    if (best.is_defined() ? priority <= highest : priority < highest) continue;
    best = each;
    highest = priority;
  }
  return best;
}

static Value as_plain_array(Interpreter& vm, const Value& made) {
  const Generic* scalar = as_generic(made);
  return scalar ? wrap_array(vm, scalar->array(session(vm))) : made;
}

// Whether a function takes more arguments by position than NumPy 1 gave to __array_wrap__.
static bool takes_return_scalar(const Value& method) {
  const Function* function = method.try_as<Function>();
  return !function || function->code->parameters.positional > 3 ||
         function->code->parameters.has_args;
}

static Value call_wrap(Interpreter& vm, const Value& method, const Value& leader, const Value& made,
                       const Value& context) {
  const Value array = as_plain_array(vm, made);
  if (takes_return_scalar(method)) {
    const Value is_scalar = Value::boolean(as_ndarray(array)->array.rank() == 0);
    return call_special(vm, method, leader, {array, context, is_scalar});
  }
  vm.warn(vm.types.deprecation_warning,
          "__array_wrap__ must accept context and return_scalar arguments (positionally) in the "
          "future. (Deprecated NumPy 2.0)");
  return call_special(vm, method, leader, {array, context});
}

static Value wrap_one(Interpreter& vm, const Value& made, const Value& leader,
                      const Value& context) {
  if (is_of_array_class(made) || (!as_ndarray(made) && !as_generic(made))) return made;
  if (const Value* method = own_special(vm, leader, "__array_wrap__")) {
    return call_wrap(vm, Value(*method), leader, made, context);
  }
  return adopt_array(vm, vm.type_of(leader), as_plain_array(vm, made), leader);
}

Value wrap_for_class_of(Interpreter& vm, const Value& made, const Value& leader) {
  return wrap_one(vm, made, leader, Value::none());
}

static Value context_of(Interpreter& vm, std::span<const Value> operands, std::string_view ufunc,
                        const Value& leader, int64_t output) {
  if (!own_special(vm, leader, "__array_wrap__")) return Value::none();
  return vm.tuple({ufunc_beside(vm, leader, ufunc), vm.tuple(operands), Value::integer(output)});
}

Value wrap_for_classes(Interpreter& vm, const Value& made, std::span<const Value> operands,
                       std::string_view ufunc) {
  const Value leader = leading_operand(vm, operands);
  if (leader.is_undefined()) return made;
  Tuple* several = made.try_as<Tuple>();
  if (!several) {
    return wrap_one(vm, made, leader, context_of(vm, operands, ufunc, leader, 0));
  }
  std::vector<Value> wrapped;
  for (const Value& each : several->items()) {
    const auto output = static_cast<int64_t>(wrapped.size());
    wrapped.push_back(wrap_one(vm, each, leader, context_of(vm, operands, ufunc, leader, output)));
  }
  return vm.tuple(wrapped);
}

static Value told_of_itself(Interpreter& vm, const Value& out, const Value& context) {
  const Value* method = is_of_array_class(out) ? own_special(vm, out, "__array_wrap__") : nullptr;
  return method ? call_wrap(vm, Value(*method), out, out, context) : out;
}

Value wrap_given_outputs(Interpreter& vm, const Value& made, std::span<const Value> inputs,
                         std::span<const Value> outputs, const Value& ufunc) {
  const auto may_wrap = [](const Value& out) { return out.is_none() || is_of_array_class(out); };
  if (!std::ranges::any_of(outputs, may_wrap)) return made;
  std::vector<Value> operands(inputs.begin(), inputs.end());
  operands.insert(operands.end(), outputs.begin(), outputs.end());
  const Value all = vm.tuple(operands);
  const auto told = [&](const Value& each, int64_t output) {
    const Value context = vm.tuple({ufunc, all, Value::integer(output)});
    const bool is_given =
        std::ranges::any_of(outputs, [&](const Value& o) { return o.same(each); });
    const Value leader = is_given ? each : leading_operand(vm, inputs);
    return is_given || leader.is_undefined() ? told_of_itself(vm, each, context)
                                             : wrap_one(vm, each, leader, context);
  };
  Tuple* several = made.try_as<Tuple>();
  if (!several) return told(made, 0);
  std::vector<Value> wrapped;
  for (const Value& each : several->items()) {
    wrapped.push_back(told(each, static_cast<int64_t>(wrapped.size())));
  }
  return vm.tuple(wrapped);
}

// --- ufuncs --------------------------------------------------------------------------------------

const Value* own_array_ufunc(Interpreter& vm, const Value& value) {
  const Value* found = own_special(vm, value, "__array_ufunc__");
  return found && found->is<NativeFunction>() ? nullptr : found;
}

Value ufunc_beside(Interpreter& vm, const Value& array, std::string_view name) {
  const std::string module = as_ndarray(array) ? native_base(vm.type_of(array))->module : "numpy";
  const Value found = vm.try_get_attribute(vm.import_module(module), vm.intern(name));
  return found.is_defined() ? found : Value::none();
}

// --- slots ---------------------------------------------------------------------------------------

// Whether an array's class answers for all ufuncs; one that has None there refuses them.
static bool answers(Interpreter& vm, const Value& operand) {
  const Value* method = as_ndarray(operand) ? own_array_ufunc(vm, operand) : nullptr;
  return method && !method->is_none();
}

static Value class_binary_slot(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  Value answer = operate_beside_object(vm, ufunc_name(op), lhs, rhs);
  if (answer.is_defined()) return answer;
  const std::array operands{lhs, rhs};
  if (answers(vm, lhs) || answers(vm, rhs)) {
    return vm.call(ufunc_beside(vm, lhs, ufunc_name(op)), {lhs, rhs});
  }
  const Value made = array_binary(vm, op, lhs, rhs);
  return made.is_not_implemented() ? made : wrap_for_classes(vm, made, operands, ufunc_name(op));
}

static Value class_compare_slot(Interpreter& vm, CompareOp op, const Value& lhs, const Value& rhs) {
  Value answer = operate_beside_object(vm, ufunc_of(op).name, lhs, rhs);
  if (answer.is_defined()) return answer;
  const std::array operands{lhs, rhs};
  if (answers(vm, lhs) || answers(vm, rhs)) {
    return vm.call(ufunc_beside(vm, lhs, ufunc_of(op).name), {lhs, rhs});
  }
  const Value made = array_compare(vm, op, lhs, rhs);
  return made.is_not_implemented() ? made : wrap_for_classes(vm, made, operands, ufunc_of(op).name);
}

static Value class_inplace_slot(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  Value answer = operate_beside_object(vm, ufunc_name(op), lhs, rhs, &lhs);
  if (answer.is_defined()) return answer;
  if (!answers(vm, lhs) && !answers(vm, rhs)) {
    const Value made = array_inplace(vm, op, lhs, rhs);
    if (made.is_not_implemented() || !own_special(vm, lhs, "__array_wrap__")) return made;
    const std::array inputs{lhs, rhs};
    return wrap_given_outputs(vm, made, inputs, {&lhs, 1}, ufunc_beside(vm, lhs, ufunc_name(op)));
  }
  return vm.call(ufunc_beside(vm, lhs, ufunc_name(op)), {lhs, rhs}, {{"out", vm.tuple({lhs})}});
}

static Value class_unary_slot(Interpreter& vm, UnaryOp op, const Value& self) {
  if (answers(vm, self)) return vm.call(ufunc_beside(vm, self, ufunc_of(op).name), {self});
  return wrap_for_classes(vm, array_unary(vm, op, self), {&self, 1}, ufunc_of(op).name);
}

static Value class_absolute_slot(Interpreter& vm, const Value& self) {
  return vm.call(ufunc_beside(vm, self, "absolute"), {self});
}

static Value class_getitem_slot(Interpreter& vm, const Value& self, const Value& key) {
  return adopt_array(vm, vm.type_of(self), array_getitem(vm, self, key), self);
}

static Value class_iter_slot(Interpreter& vm, const Value& self) {
  if (as_ndarray(self)->array.rank() > 0) return iterate_by_index(vm, self);
  vm.raise_type_error("iteration over a 0-d array");
}

static std::string class_repr_slot(Interpreter& vm, const Value& self) {
  const std::string opening = vm.type_of(self)->name + "(";
  return array_repr_by_options(vm, self, opening);
}

Slots slots_for_array_classes(const Slots& plain) {
  Slots slots = plain;
  slots.repr = class_repr_slot;
  slots.compare = class_compare_slot;
  slots.getitem = class_getitem_slot;
  slots.get_at = nullptr;
  slots.set_at = nullptr;
  slots.iter = class_iter_slot;
  slots.unary = class_unary_slot;
  slots.absolute = class_absolute_slot;
  slots.binary = class_binary_slot;
  slots.inplace = class_inplace_slot;
  slots.traverse = traverse<&Ndarray::owner>;
  return slots;
}

}  // namespace gpy
