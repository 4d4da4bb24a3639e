// The operators and protocols of the language, implemented by the types' slots.
#include "src/classes/class_slots.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/memory/pieces.h"
#include "src/state.h"
#include "src/types/sequence.h"

namespace gpy {

Type* Interpreter::type_of(const Value& value) const {
  if (value.is_object()) [[likely]]
    return value.as_object()->type;
  switch (value.tag()) {
    case Tag::object: break;
    case Tag::integer: return types.integer;
    case Tag::real: return types.real;
    case Tag::boolean: return types.boolean;
    case Tag::not_implemented: return types.not_implemented;
    case Tag::ellipsis: return types.ellipsis;
    case Tag::none:
    case Tag::undefined: break;
  }
  return types.none;
}

// --- binary --------------------------------------------------------------------------------------

static Value try_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  Type* left = vm.type_of(lhs);
  Type* right = vm.type_of(rhs);
  if (left->is_class || right->is_class) return class_binary(vm, op, lhs, rhs);
  bool right_first = left != right && right->slots.binary &&
                     right->slots.binary != left->slots.binary && right->is_subclass_of(left);
  if (right_first) {
    Value result = right->slots.binary(vm, op, lhs, rhs);
    if (!result.is_not_implemented()) return result;
  }
  if (left->slots.binary) {
    Value result = left->slots.binary(vm, op, lhs, rhs);
    if (!result.is_not_implemented()) return result;
  }
  if (left == right || right_first || !right->slots.binary) return Value::not_implemented();
  return right->slots.binary(vm, op, lhs, rhs);
}

[[noreturn]] static void refuse(Interpreter& vm, const char* op, const char* mark, const Value& lhs,
                                const Value& rhs) {
  vm.raise_type_error("unsupported operand type(s) for {}{}: '{}' and '{}'", op, mark,
                      vm.type_name(lhs), vm.type_name(rhs));
}

Value Interpreter::binary(BinaryOp op, const Value& lhs, const Value& rhs) {
  Value result = try_binary(*this, op, lhs, rhs);
  if (result.is_not_implemented()) refuse(*this, symbol(op), "", lhs, rhs);
  return result;
}

Value Interpreter::inplace(BinaryOp op, const Value& lhs, const Value& rhs) {
  if (auto slot = type_of(lhs)->slots.inplace) {
    Value result = slot(*this, op, lhs, rhs);
    if (!result.is_not_implemented()) return result;
  }
  Value result = try_binary(*this, op, lhs, rhs);
  if (!result.is_not_implemented()) return result;
  refuse(*this, op == BinaryOp::power ? "**" : symbol(op), "=", lhs, rhs);
}

Value Interpreter::unary(UnaryOp op, const Value& operand) {
  if (auto slot = type_of(operand)->slots.unary) {
    Value result = slot(*this, op, operand);
    if (!result.is_not_implemented()) return result;
  }
  raise_type_error("bad operand type for unary {}: '{}'", symbol(op), type_name(operand));
}

// --- comparison ----------------------------------------------------------------------------------

static Value try_compare(Interpreter& vm, CompareOp op, const Value& lhs, const Value& rhs) {
  auto ask = [&](Type* type, CompareOp which, const Value& self, const Value& other) {
    auto slot = type->slots.compare;
    return slot ? slot(vm, which, self, other) : Value::not_implemented();
  };
  Type* left = vm.type_of(lhs);
  Type* right = vm.type_of(rhs);
  bool right_first = left != right && right->is_subclass_of(left);
  if (right_first) {
    Value result = ask(right, swapped(op), rhs, lhs);
    if (!result.is_not_implemented()) return result;
  }
  Value result = ask(left, op, lhs, rhs);
  if (!result.is_not_implemented() || right_first) return result;
  return ask(right, swapped(op), rhs, lhs);
}

Value Interpreter::compare(CompareOp op, const Value& lhs, const Value& rhs) {
  check_stack();
  Value result = try_compare(*this, op, lhs, rhs);
  if (!result.is_not_implemented()) return result;
  if (op == CompareOp::equal) return Value::boolean(lhs.same(rhs));
  if (op == CompareOp::not_equal) return Value::boolean(!lhs.same(rhs));
  raise_type_error("'{}' not supported between instances of '{}' and '{}'", symbol(op),
                   type_name(lhs), type_name(rhs));
}

bool Interpreter::equal(const Value& lhs, const Value& rhs) {
  poll();
  if (lhs.same(rhs)) return true;
  if (lhs.is_integer() && rhs.is_integer()) return false;
  if (are_texts(lhs, rhs)) return lhs.as<Str>()->view() == rhs.as<Str>()->view();
  return truth(compare(CompareOp::equal, lhs, rhs));
}

bool Interpreter::less(const Value& lhs, const Value& rhs) {
  poll();
  if (lhs.is_integer() && rhs.is_integer()) return lhs.as_integer() < rhs.as_integer();
  if (lhs.is_real() && rhs.is_real()) return lhs.as_real() < rhs.as_real();
  if (are_texts(lhs, rhs)) return lhs.as<Str>()->view() < rhs.as<Str>()->view();
  return truth(compare(CompareOp::less, lhs, rhs));
}

// --- containers ----------------------------------------------------------------------------------

bool Interpreter::contains(const Value& container, const Value& item) {
  Type* type = type_of(container);
  if (type->slots.contains) return type->slots.contains(*this, container, item);
  if (!type->slots.iter)
    raise_type_error("argument of type '{}' is not iterable", type->full_name());
  Value iterator = iterate(container);
  for (Value each = next(iterator); each.is_defined(); each = next(iterator)) {
    if (equal(each, item)) return true;
  }
  return false;
}

Value Interpreter::get_item(const Value& self, const Value& key) {
  if (auto slot = type_of(self)->slots.getitem) return slot(*this, self, key);
  raise_type_error("'{}' object is not subscriptable", type_name(self));
}

void Interpreter::set_item(const Value& self, const Value& key, const Value& item) {
  if (auto slot = type_of(self)->slots.setitem) return slot(*this, self, key, item);
  raise_type_error("'{}' object does not support item assignment", type_name(self));
}

void Interpreter::delete_item(const Value& self, const Value& key) {
  if (auto slot = type_of(self)->slots.delitem) return slot(*this, self, key);
  // CPython words this error differently for sequences, which objects of classes count as.
  Type* type = type_of(self);
  bool is_sequence = type->is_class || type->slots.length;
  raise_type_error("'{}' object {} support item deletion", type->name,
                   is_sequence && has_index(key) ? "doesn't" : "does not");
}

// --- iteration -----------------------------------------------------------------------------------

Value Interpreter::iterate(const Value& iterable) {
  if (auto slot = type_of(iterable)->slots.iter) return slot(*this, iterable);
  raise_type_error("'{}' object is not iterable", type_name(iterable));
}

static bool is_native_iterator(const Value& value) {
  return value.is_object() && value.as_object()->layout == ObjectLayout::native_iterator;
}

// A StopIteration that a function raised inside a native iterator ends that iterator as well.
static Value next_of_native(Interpreter& vm, const Value& iterator,
                            Value (*slot)(Interpreter&, const Value&)) {
  try {
    Value item = slot(vm, iterator);
    const bool is_plain_end = item.is_undefined() && is_native_iterator(iterator);
    if (is_plain_end) vm.state().returned = Value();
    return item;
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.stop_iteration)) throw;
    vm.state().returned = vm.get_attribute(raised.exception, vm.state().names.value);
    return Value();
  }
}

Value Interpreter::next(const Value& iterator) {
  poll();
  if (auto* at = iterator.try_as<SequenceIterator>()) {
    const Value* item = next_in_row(*at);
    return item ? *item : row_iterator_next(*this, iterator);
  }
  if (auto* range = iterator.try_as<RangeIterator>(); range && range->remaining > 0) {
    return Value::integer(range->take());
  }
  check_stack();
  if (auto slot = type_of(iterator)->slots.next) return next_of_native(*this, iterator, slot);
  raise_type_error("'{}' object is not an iterator", type_name(iterator));
}

static void collect_each(Interpreter& vm, const Value& iterable, std::vector<Value>& items) {
  Value iterator = vm.iterate(iterable);
  NotedBytes held(vm.heap);
  auto make_room_for = [&](size_t more) {
    make_room(vm, items, more);
    held.set(items.capacity() * sizeof(Value));
  };
  make_room_for(vm.expected_length(iterable));
  for (Value item = vm.next(iterator); item.is_defined(); item = vm.next(iterator)) {
    if (items.size() == items.capacity()) make_room_for(1);
    items.push_back(std::move(item));
  }
}

std::vector<Value> Interpreter::collect(const Value& iterable) {
  if (const List* list = iterable.try_as<List>()) {
    if (list->type == types.list) {
      claim(list->items.size(), sizeof(Value));
      return copy_items(*this, list->items);
    }
  }
  if (Tuple* tuple = iterable.try_as<Tuple>()) {
    if (tuple->type == types.tuple) return copy_items(*this, tuple->items());
  }
  std::vector<Value> items;
  try {
    collect_each(*this, iterable, items);
  } catch (...) {
    destroy_items_backwards(*this, items);
    throw;
  }
  return items;
}

// --- what a value is -----------------------------------------------------------------------------

bool Interpreter::truth(const Value& value) {
  switch (value.tag()) {
    case Tag::boolean:
    case Tag::integer: return value.as_integer() != 0;
    case Tag::real: return value.as_real() != 0;
    case Tag::none:
    case Tag::undefined: return false;
    case Tag::not_implemented:
    case Tag::ellipsis: return true;
    case Tag::object: break;
  }
  const Slots& slots = value.as_object()->type->slots;
  if (slots.truth) return slots.truth(*this, value);
  return !slots.length || slots.length(*this, value) != 0;
}

int64_t Interpreter::hash(const Value& value) {
  const bool is_of_class = value.is_object() && value.as_object()->type->is_class;
  if (!is_of_class && value.is<Str>()) return value.as<Str>()->hash();
  if (!is_of_class && is_number(value)) return hash_number(value);
  if (auto slot = type_of(value)->slots.hash) {
    check_stack();
    int64_t hash = slot(*this, value);
    return hash == -1 ? -2 : hash;
  }
  raise_type_error("unhashable type: '{}'", type_name(value));
}

int64_t Interpreter::length(const Value& value) {
  if (auto slot = type_of(value)->slots.length) return slot(*this, value);
  raise_type_error("object of type '{}' has no len()", type_name(value));
}

int64_t Interpreter::length_hint(const Value& value, int64_t otherwise) {
  if (!value.is_object()) return otherwise;
  switch (value.as_object()->layout) {
    case ObjectLayout::list: return static_cast<int64_t>(value.as<List>()->items.size());
    case ObjectLayout::tuple: return static_cast<int64_t>(value.as<Tuple>()->size);
    case ObjectLayout::str: return static_cast<int64_t>(value.as<Str>()->length);
    case ObjectLayout::dict: return static_cast<int64_t>(value.as<Dict>()->size());
    case ObjectLayout::set: return static_cast<int64_t>(value.as<Set>()->size());
    case ObjectLayout::range: return value.as<Range>()->length;
    case ObjectLayout::range_iterator: return value.as<RangeIterator>()->remaining;
    default: return otherwise;
  }
}

// Only a TypeError means that there is no length.
static void ask_length(Interpreter& vm, const Value& value) {
  try {
    vm.length(value);
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.type_error)) throw;
  }
}

size_t Interpreter::expected_length(const Value& value) {
  const Type* type = type_of(value);
  const bool asks = type->is_class && type->slots.length &&
                    type->slots.length != native_base(type_of(value))->slots.length;
  if (!asks) return static_cast<size_t>(length_hint(value));
  ask_length(*this, value);
  return 0;
}

std::string Interpreter::repr(const Value& value) {
  check_stack();
  poll();
  return type_of(value)->slots.repr(*this, value);
}

std::string Interpreter::to_str(const Value& value) {
  if (const Str* text = value.try_as<Str>()) {
    if (text->type == types.str) return copy_text(*this, text->view());
  }
  auto slot = type_of(value)->slots.str;
  if (!slot) return repr(value);
  check_stack();
  return slot(*this, value);
}

Interpreter::Showing::Showing(Interpreter& vm, const Value& object) : vm_(vm), inside_(false) {
  auto& showing = vm.state().showing;
  Object* shown = object.is_object() ? object.as_object() : nullptr;  // no container
  for (Object* outer : showing) inside_ |= shown && outer == shown;
  showing.push_back(shown);
}

Interpreter::Showing::~Showing() { vm_.state().showing.pop_back(); }

}  // namespace gpy
