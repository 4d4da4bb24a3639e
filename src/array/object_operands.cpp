#include "src/array/object_operands.h"

#include "src/array/array_classes.h"
#include "src/array/operators.h"
#include "src/array/sequence_objects.h"
#include "src/calls/override.h"

namespace gpy {

namespace {

bool is_array_or_scalar(const Value& value) { return as_ndarray(value) || as_generic(value); }

// What is stored into an array goes by the ufunc even where it is an array or a scalar of the
// library's own kinds.
bool is_other_object(Interpreter& vm, const Value& value, bool in_place) {
  if (!value.is_object() || value.as_object()->layout != ObjectLayout::instance) return false;
  return in_place || !librarys_array_function(vm, vm.type_of(value));
}

// What PyArray_GetPriority gives.
constexpr double kScalarPriority = -1e6;

double priority_of(Interpreter& vm, const Value& value) {
  if (as_ndarray(value) && !is_of_array_class(value)) return 0;
  if (as_generic(value)) return kScalarPriority;
  const Value found = vm.try_get_attribute(value, vm.intern("__array_priority__"));
  return found.is_defined() ? vm.to_real(found) : kScalarPriority;
}

// NumPy's binop_should_defer.
bool defers(Interpreter& vm, const Value& self, const Value& other, bool in_place) {
  const Value ufunc = vm.try_get_attribute(other, vm.intern("__array_ufunc__"));
  if (ufunc.is_defined()) return ufunc.is_none() && !in_place;
  return priority_of(vm, self) < priority_of(vm, other);
}

// Whether a ufunc takes an object as one element.
bool is_one_element(Interpreter& vm, const Value& other) {
  return !own_array_ufunc(vm, other) && !becomes_array(vm, other);
}

// A device has no arrays of objects: an object that is no numbers has its own operators there.
bool is_refused(Interpreter& vm, const Value& self, const Value& other) {
  const Ndarray* array = as_ndarray(self);
  return array && !array->array.space().is_host() && is_one_element(vm, other);
}

}  // namespace

Value operate_beside_object(Interpreter& vm, std::string_view ufunc, const Value& lhs,
                            const Value& rhs, const Value* target) {
  const bool is_forward = is_array_or_scalar(lhs);
  const Value& self = is_forward ? lhs : rhs;
  const Value& other = is_forward ? rhs : lhs;
  if (!is_other_object(vm, other, target)) return Value();
  if (is_forward && defers(vm, self, other, target)) return Value::not_implemented();
  if (is_refused(vm, self, other)) return Value::not_implemented();
  const Value function = ufunc_beside(vm, self, ufunc);
  if (!target) return vm.call(function, {lhs, rhs});
  return vm.call(function, {lhs, rhs}, {{"out", vm.tuple({*target})}});
}

Value compare_scalar_beside_object(Interpreter& vm, CompareOp op, const Value& self,
                                   const Value& other) {
  if (!is_other_object(vm, other, false)) return Value();
  if (defers(vm, self, other, false)) return Value::not_implemented();
  if (!is_one_element(vm, other)) {
    return vm.call(ufunc_beside(vm, self, ufunc_of(op).name), {self, other});
  }
  const rt::Scalar number = as_generic(self)->number(session(vm));
  return vm.compare(op, python_number(vm, number), other);
}

}  // namespace gpy
