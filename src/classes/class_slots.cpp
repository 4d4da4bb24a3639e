// Slots of classes: each calls the method that the class has for it.
#include "src/classes/class_slots.h"

#include "src/calls/args.h"
#include "src/calls/override.h"
#include "src/classes/attributes.h"
#include "src/classes/class_iterator.h"
#include "src/classes/for_classes.h"
#include "src/exceptions/ignored.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/objects/function.h"
#include "src/run/run.h"
#include "src/types/slot_methods.h"

namespace gpy {

// --- finding and calling -------------------------------------------------------------------------

const Value* find_special(Type* type, Str* name) {
  for (Type* each : type->mro) {
    if (each->is_class) {
      if (const Value* found = each->attributes->find(name)) return found;
    } else if (each != each->vm->types.object && has_slot_method(*each, name->view())) {
      return nullptr;
    }
  }
  return nullptr;
}

const Value* find_special(Interpreter& vm, Type* type, std::string_view name) {
  return find_special(type, vm.intern(name));
}

Value call_special(Interpreter& vm, Value method, const Value& self,
                   std::initializer_list<Value> arguments) {
  return call_special(vm, std::move(method), self,
                      CallArgs{arguments.begin(), static_cast<uint32_t>(arguments.size()), {}});
}

Value call_special(Interpreter& vm, Value method, const Value& self, const CallArgs& arguments) {
  if (auto* function = method.try_as<Function>()) {
    return call_function(vm, function, self, arguments);
  }
  if (auto* native = method.try_as<NativeFunction>(); native && native->is_method) {
    return call_native(vm, *native, self, arguments);
  }
  return vm.call(bound_attribute(vm, method, self, vm.type_of(self)), arguments);
}

const ForClasses* for_classes(const Type* native) {
  const auto& all = native->vm->state().for_classes;
  const auto found = all.find(native);
  return found == all.end() ? nullptr : found->second.get();
}

void set_for_classes(Type& native, ForClasses what) {
  native.vm->state().for_classes[&native] = std::make_shared<const ForClasses>(what);
}

const Slots& slots_for_classes(const Type* native) {
  const ForClasses* known = for_classes(native);
  return known ? known->slots : native->slots;
}

Type* native_base(Type* type) {
  while (type->is_class) type = type->base;
  return type;
}

template <class Slot> static Slot native_slot(Interpreter& vm, const Value& self, Slot Slots::*at) {
  return slots_for_classes(native_base(vm.type_of(self))).*at;
}

// self.NAME(arguments) of a class that has the method.
static Value ask(Interpreter& vm, const char* name, const Value& self,
                 std::initializer_list<Value> arguments = {}) {
  const Value* method = find_special(vm, vm.type_of(self), name);
  if (!method || method->is_none()) {
    vm.raise_type_error("'{}' object has no {}", vm.type_name(self), name);
  }
  return call_special(vm, *method, self, arguments);
}

// --- text ----------------------------------------------------------------------------------------

static std::string text_from(Interpreter& vm, const char* name, const Value& answer) {
  if (const Str* text = answer.try_as<Str>()) return std::string(text->view());
  vm.raise_type_error("{} returned non-string (type {})", name, vm.type_name(answer));
}

static std::string class_repr(Interpreter& vm, const Value& self) {
  return text_from(vm, "__repr__", ask(vm, "__repr__", self));
}

static std::string class_str(Interpreter& vm, const Value& self) {
  return text_from(vm, "__str__", ask(vm, "__str__", self));
}

static std::string class_format(Interpreter& vm, const Value& self, std::string_view spec) {
  Value answer = ask(vm, "__format__", self, {vm.str(spec)});
  if (const Str* text = answer.try_as<Str>()) return std::string(text->view());
  vm.raise_type_error("__format__ must return a str, not {}", vm.type_name(answer));
}

// --- comparison ----------------------------------------------------------------------------------

static int64_t class_hash(Interpreter& vm, const Value& self) {
  const Value* method = find_special(vm, vm.type_of(self), "__hash__");
  if (!method || method->is_none()) {
    vm.raise_type_error("unhashable type: '{}'", vm.type_name(self));
  }
  Value hash = call_special(vm, *method, self);
  if (!is_int(hash)) vm.raise_type_error("__hash__ method should return an integer");
  return hash.is_integer() ? hash.as_integer() : hash_number(hash);
}

static Str* method_name(Interpreter& vm, CompareOp op) {
  const Names& names = vm.state().names;
  Str* const all[] = {names.__eq__, names.__ne__, names.__lt__,
                      names.__le__, names.__gt__, names.__ge__};
  return all[static_cast<int>(op)];
}

static Value compare_natively(Interpreter& vm, CompareOp op, const Value& self,
                              const Value& other) {
  auto slot = native_slot(vm, self, &Slots::compare);
  return slot ? slot(vm, op, self, other) : Value::not_implemented();
}

static Value class_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  Type* type = vm.type_of(self);
  const Value* method = find_special(type, method_name(vm, op));
  if (method && !method->is_none()) {
    return call_special(vm, *method, self, {other});
  }
  if (method || op != CompareOp::not_equal) return compare_natively(vm, op, self, other);
  // If no method defines !=, it is the opposite of ==.
  const Value* equal = find_special(type, vm.state().names.__eq__);
  if (!equal) return compare_natively(vm, op, self, other);
  Value answer = call_special(vm, *equal, self, {other});
  return answer.is_not_implemented() ? answer : Value::boolean(!vm.truth(answer));
}

static bool class_truth(Interpreter& vm, const Value& self) {
  Value answer = ask(vm, "__bool__", self);
  if (answer.is_boolean()) return answer.as_boolean();
  vm.raise_type_error("__bool__ should return bool, returned {}", vm.type_name(answer));
}

// --- containers ----------------------------------------------------------------------------------

static int64_t class_length(Interpreter& vm, const Value& self) {
  int64_t length = vm.to_index(ask(vm, "__len__", self));
  if (length < 0) vm.raise_value_error("__len__() should return >= 0");
  return length;
}

static Value class_getitem(Interpreter& vm, const Value& self, const Value& key) {
  return ask(vm, "__getitem__", self, {key});
}

static void class_setitem(Interpreter& vm, const Value& self, const Value& key, const Value& item) {
  ask(vm, "__setitem__", self, {key, item});
}

static void class_delitem(Interpreter& vm, const Value& self, const Value& key) {
  ask(vm, "__delitem__", self, {key});
}

static bool class_contains(Interpreter& vm, const Value& self, const Value& item) {
  return vm.truth(ask(vm, "__contains__", self, {item}));
}

static Value class_iter(Interpreter& vm, const Value& self) {
  const Value* method = find_special(vm, vm.type_of(self), "__iter__");
  if (!method) return iterate_by_index(vm, self);
  if (method->is_none()) vm.raise_type_error("'{}' object is not iterable", vm.type_name(self));
  Value iterator = call_special(vm, *method, self);
  if (vm.type_of(iterator)->slots.next) return iterator;
  vm.raise_type_error("iter() returned non-iterator of type '{}'", vm.type_name(iterator));
}

static Value class_next(Interpreter& vm, const Value& self) {
  try {
    return ask(vm, "__next__", self);
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.stop_iteration)) throw;
    vm.state().returned = vm.get_attribute(raised.exception, vm.state().names.value);
    return Value();
  }
}

static Value class_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const Value* method = find_special(vm.type_of(self), vm.state().names.__call__);
  if (!method) vm.raise_type_error("'{}' object is not callable", vm.type_name(self));
  return call_special(vm, *method, self, arguments);
}

// --- unary operators -----------------------------------------------------------------------------

static Value class_unary(Interpreter& vm, UnaryOp op, const Value& self) {
  static constexpr const char* kNames[] = {"__neg__", "__pos__", "__invert__"};
  const Value* method = find_special(vm, vm.type_of(self), kNames[static_cast<int>(op)]);
  if (method) {
    return call_special(vm, *method, self);
  }
  auto slot = native_slot(vm, self, &Slots::unary);
  return slot ? slot(vm, op, self) : Value::not_implemented();
}

// --- conversions ---------------------------------------------------------------------------------

static Value class_index(Interpreter& vm, const Value& self) {
  Value answer = ask(vm, "__index__", self);
  if (answer.is_boolean()) return Value::integer(answer.as_boolean());
  if (is_int(answer)) return answer;
  vm.raise_type_error("__index__ returned non-int (type {})", vm.type_name(answer));
}

static Value class_to_int(Interpreter& vm, const Value& self) {
  Value answer = ask(vm, "__int__", self);
  if (is_int(answer)) return answer;
  vm.raise_type_error("__int__ returned non-int (type {})", vm.type_name(answer));
}

static Value class_to_float(Interpreter& vm, const Value& self) {
  Value answer = ask(vm, "__float__", self);
  if (answer.is_real()) return answer;
  vm.raise_type_error("{}.__float__ returned non-float (type {})", vm.type_name(self),
                      vm.type_name(answer));
}

static Value class_to_complex(Interpreter& vm, const Value& self) {
  Value answer = ask(vm, "__complex__", self);
  if (vm.type_of(answer) == vm.types.complex) return answer;
  vm.raise_type_error("__complex__ returned non-complex (type {})", vm.type_name(answer));
}

// --- life ----------------------------------------------------------------------------------------

static void class_finalise(Interpreter& vm, Object* object) {
  if (object->flags & kFinalised) return;
  object->flags |= kFinalised;
  ignoring_exceptions(
      vm, [&] { ask(vm, "__del__", Value(object)); },
      [&] { return "__del__ of " + object->type->name; });
}

static void class_traverse(Object* self, Visit visit, void* context) {
  auto traverse = slots_for_classes(native_base(self->type)).traverse;
  if (traverse) traverse(self, visit, context);
  auto& all = self->type->vm->state().own_attributes;
  if (auto own = all.find(self); own != all.end()) visit(own->second.get(), context);
}

// Drops the attributes of an object of a class over a builtin type (an instance keeps its own).
static void forget_attributes(Interpreter& vm, Object* object) noexcept {
  auto& all = vm.state().own_attributes;
  if (object->layout == ObjectLayout::instance || all.empty()) return;
  auto found = all.find(object);
  if (found == all.end()) return;
  Ref<Dict> last = std::move(found->second);
  all.erase(found);
}

void end_with_class(Interpreter& vm, Object* object) noexcept {
  Type* type = object->type;
  const bool is_counted = type->is_class;
  if (is_counted) forget_attributes(vm, object);
  type->slots.destroy(object);
  if (is_counted) release(type);
}

// --- which methods fill which slots --------------------------------------------------------------

namespace {

struct Rule {
  const char* name;
  void (*fill)(Slots&);
};

}  // namespace

#define GPY_RULE(name, slot, function)                \
  {                                                   \
    name, [](Slots& slots) { slots.slot = function; } \
  }

static const Rule kRules[] = {
    GPY_RULE("__repr__", repr, class_repr),
    GPY_RULE("__str__", str, class_str),
    GPY_RULE("__format__", format, class_format),
    GPY_RULE("__hash__", hash, class_hash),
    GPY_RULE("__eq__", compare, class_compare),
    GPY_RULE("__ne__", compare, class_compare),
    GPY_RULE("__lt__", compare, class_compare),
    GPY_RULE("__le__", compare, class_compare),
    GPY_RULE("__gt__", compare, class_compare),
    GPY_RULE("__ge__", compare, class_compare),
    GPY_RULE("__bool__", truth, class_truth),
    GPY_RULE("__len__", length, class_length),
    GPY_RULE("__getitem__", getitem, class_getitem),
    GPY_RULE("__setitem__", setitem, class_setitem),
    GPY_RULE("__delitem__", delitem, class_delitem),
    GPY_RULE("__contains__", contains, class_contains),
    GPY_RULE("__iter__", iter, class_iter),
    GPY_RULE("__next__", next, class_next),
    GPY_RULE("__call__", call, class_call),
    GPY_RULE("__neg__", unary, class_unary),
    GPY_RULE("__pos__", unary, class_unary),
    GPY_RULE("__invert__", unary, class_unary),
    GPY_RULE("__index__", index, class_index),
    GPY_RULE("__int__", to_int, class_to_int),
    GPY_RULE("__float__", to_float, class_to_float),
    GPY_RULE("__complex__", to_complex, class_to_complex),
    GPY_RULE("__setattr__", setattr, class_setattr),
    GPY_RULE("__delattr__", setattr, class_setattr),
    GPY_RULE("__del__", finalise, class_finalise),
};
#undef GPY_RULE

bool is_special_name(std::string_view name) {
  return name.size() > 4 && name.starts_with("__") && name.ends_with("__");
}

static void note_say_in_calls(Type& type, const Type* native) {
  auto& state = type.vm->state();
  const auto has = [&](std::string_view name) { return scripts_special(*type.vm, &type, name); };
  state.has_array_functions |= has("__array_function__") != nullptr;
  state.asks_classes |= for_classes(native) || has("__array_function__") || has("__array_ufunc__");
}

void fill_class_slots(Type& type) {
  Interpreter& vm = *type.vm;
  Type* native = native_base(&type);
  type.slots = slots_for_classes(native);
  if (native == vm.types.object) {
    type.slots.destroy = Instance::destroy;
    type.slots.traverse = Instance::traverse;
  } else {
    type.slots.traverse = class_traverse;
  }
  note_say_in_calls(type, native);
  type.slots.getattr = class_getattr;
  type.slots.setattr = set_own_attribute;
  type.slots.list_names = class_list_names;
  for (const Rule& rule : kRules) {
    if (find_special(vm, &type, rule.name)) rule.fill(type.slots);
  }
  if (type.slots.finalise) vm.state().has_ends = true;
  bool by_index = !type.slots.iter && type.slots.getitem == class_getitem;
  if (by_index) type.slots.iter = class_iter;
  take_operators(vm, type);
  for (Type* each : type.subclasses) fill_class_slots(*each);
}

}  // namespace gpy
