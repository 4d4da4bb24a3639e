#include "src/array/sequence_objects.h"

#include <algorithm>
#include <optional>

#include "src/array/array_classes.h"
#include "src/array/convert.h"
#include "src/array/object_arrays.h"
#include "src/calls/override.h"
#include "src/classes/class_slots.h"
#include "src/memory/pieces.h"

namespace gpy {

// An array of another kind takes the call.
static Value numbers_given_by(Interpreter& vm, const Value& object,
                              std::optional<rt::DType> dtype) {
  const Value array = array_given_by(vm, object, dtype).array;
  if (array.is_defined()) leave_to(vm, array);
  return array;
}

void leave_to(Interpreter& vm, const Value& object) {
  if (librarys_array_function(vm, vm.type_of(object))) throw Override{object};
}

void leave_to_other_kinds(Interpreter& vm) { throw Override{arrays(vm).other_kinds(vm)}; }

rt::DType dtype_of_other(Interpreter& vm, const Value& named) {
  if (named.is_object()) leave_to(vm, named);
  const Value kinds = arrays(vm).other_kinds(vm);
  const Value found = vm.call_method(kinds, "dtype", {named});
  if (const DTypeObject* dtype = found.try_as<DTypeObject>()) return dtype->dtype;
  throw Override{found};
}

// Whether an object is a sequence of another kind, deque for example: neither text nor a mapping.
static bool is_other_sequence(Interpreter& vm, const Value& value) {
  switch (value.as_object()->layout) {
    case ObjectLayout::list:
    case ObjectLayout::tuple:
    case ObjectLayout::range:
    case ObjectLayout::str:
    case ObjectLayout::bytes:
    case ObjectLayout::dict: return false;
    default: break;
  }
  const Slots& slots = vm.type_of(value)->slots;
  return slots.length && slots.getitem && !as_ndarray(value);
}

static bool is_own(Interpreter& vm, const Value& value) {
  if (!value.is_object()) return false;
  leave_to(vm, value);
  return gives_array(vm, value) || is_other_sequence(vm, value);
}

bool becomes_array(Interpreter& vm, const Value& value) { return is_own(vm, value); }

// Whether a value is an object of a class, no list or tuple: its methods may make it a number.
static bool is_instance(Interpreter& vm, const Value& value) {
  if (as_ndarray(value)) return is_number_of_array_class(value);
  return value.is_object() && vm.type_of(value)->is_class && !value.is<List>() &&
         !value.is<Tuple>();
}

std::optional<std::span<const Value>> items_of(const Value& value) {
  if (const List* list = value.try_as<List>()) return std::span<const Value>(list->items);
  if (Tuple* tuple = value.try_as<Tuple>()) return tuple->items();
  return std::nullopt;
}

// Whether a class claims the operators beside an array, as NumPy has it do so.
static bool claims_operators(Interpreter& vm, Type* type) {
  if (librarys_array_function(vm, type)) return true;
  const Value* ufunc = find_special(vm, type, "__array_ufunc__");
  if (ufunc && ufunc->is_none()) return true;
  const Value* priority = find_special(vm, type, "__array_priority__");
  return priority && vm.to_real(*priority) > 0;
}

bool is_operand_object(Interpreter& vm, const Value& value) {
  if (!value.is_object()) return false;
  Type* type = vm.type_of(value);
  const bool has_operators = type->is_class && type->slots.binary;
  if (has_operators && claims_operators(vm, type)) return false;
  if (!is_own(vm, value)) return false;
  return !has_operators || gives_array(vm, value);
}

void raise_too_deep(Interpreter& vm) {
  vm.raise_value_error(
      "setting an array element with a sequence. The requested array would exceed the maximum "
      "number of dimension of {}.",
      rt::kMaxRank);
}

// A list may hold itself: levels too deep for an array are not searched.
static bool holds_own(Interpreter& vm, const Value& value, bool or_numbers, int depth,
                      InterruptPoll& poll) {
  poll.step();
  if (is_own(vm, value) || (or_numbers && is_instance(vm, value))) return true;
  const auto items = items_of(value);
  if (!items || items->empty()) return false;
  if (depth >= rt::kMaxRank) raise_too_deep(vm);
  return std::any_of(items->begin(), items->end(), [&](const Value& item) {
    return item.is_object() && holds_own(vm, item, or_numbers, depth + 1, poll);
  });
}

// Whether an exception means that the object is no sequence; one that ends the run does not.
static bool is_refusal(Interpreter& vm, const Raised& raised, const Type* kind) {
  return vm.is_instance(raised.exception, kind) &&
         !vm.is_instance(raised.exception, vm.types.recursion_error) &&
         !vm.is_instance(raised.exception, vm.types.memory_error);
}

static bool has_length(Interpreter& vm, const Value& object) {
  try {
    vm.length(object);
    return true;
  } catch (const Raised& raised) {
    if (is_refusal(vm, raised, vm.types.exception)) return false;
    throw;
  }
}

// The object's items, as NumPy takes them; nullopt for an object that is one element: it has no
// length, or wants other keys than positions.
static std::optional<std::vector<Value>> items_by_protocol(Interpreter& vm, const Value& object) {
  if (is_other_sequence(vm, object) && !has_length(vm, object)) return std::nullopt;
  try {
    return vm.collect(object);
  } catch (const Raised& raised) {
    if (is_refusal(vm, raised, vm.types.key_error)) return std::nullopt;
    throw;
  }
}

static Value plain_below(Interpreter& vm, const Value& value, std::optional<rt::DType> dtype,
                         int depth) {
  InterruptPoll poll(vm);
  if (!holds_own(vm, value, dtype.has_value(), depth, poll)) return value;
  const Value array = numbers_given_by(vm, value, dtype);
  if (array.is_defined()) return array;
  std::optional<std::vector<Value>> items;
  if (is_own(vm, value) || !is_instance(vm, value)) items = items_by_protocol(vm, value);
  if (!items) return dtype && is_instance(vm, value) ? number_for(vm, value, *dtype) : value;
  if (depth >= rt::kMaxRank) raise_too_deep(vm);
  for (Value& item : *items) {
    poll.step();
    item = plain_below(vm, item, dtype, depth + 1);
  }
  return vm.list(*std::move(items));
}

Value plain_sequences(Interpreter& vm, const Value& value, std::optional<rt::DType> dtype) {
  return plain_below(vm, value, dtype, 0);
}

}  // namespace gpy
