#include "src/array/sequence_objects.h"

#include <algorithm>

#include "src/array/convert.h"
#include "src/classes/class_slots.h"

namespace gpy {

static Value asked_for_array(Interpreter& vm, const Value& object, const Value& method) {
  Value array = call_special(vm, method, object);
  if (as_ndarray(array)) return array;
  vm.raise_value_error("object __array__ method not producing an array");
}

// deque and the like: neither text nor a mapping.
static bool is_other_sequence(Interpreter& vm, const Value& value) {
  switch (value.as_object()->layout) {
    case Layout::list:
    case Layout::tuple:
    case Layout::range:
    case Layout::str:
    case Layout::bytes:
    case Layout::dict: return false;
    default: break;
  }
  const Slots& slots = vm.type_of(value)->slots;
  return slots.length && slots.getitem && !as_ndarray(value);
}

static bool is_own(Interpreter& vm, const Value& value) {
  if (!value.is_object()) return false;
  Type* type = vm.type_of(value);
  return (type->is_class && find_special(vm, type, "__array__")) || is_other_sequence(vm, value);
}

static std::span<const Value> items_of(const Value& value) {
  if (const List* list = value.try_as<List>()) return list->items;
  if (Tuple* tuple = value.try_as<Tuple>()) return tuple->items();
  return {};
}

static bool holds_own(Interpreter& vm, const Value& value) {
  if (is_own(vm, value)) return true;
  auto items = items_of(value);
  if (items.empty()) return false;
  vm.check_stack();
  return std::any_of(items.begin(), items.end(),
                     [&](const Value& item) { return item.is_object() && holds_own(vm, item); });
}

Value plain_sequences(Interpreter& vm, const Value& value) {
  if (!holds_own(vm, value)) return value;
  Type* type = vm.type_of(value);
  if (const Value* method = type->is_class ? find_special(vm, type, "__array__") : nullptr) {
    return asked_for_array(vm, value, Value(*method));
  }
  std::vector<Value> items = vm.collect(value);
  for (Value& item : items) item = plain_sequences(vm, item);
  return vm.list(std::move(items));
}

}  // namespace gpy
