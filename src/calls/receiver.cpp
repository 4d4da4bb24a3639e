#include "src/calls/receiver.h"

#include "src/classes/class_slots.h"
#include "src/classes/for_classes.h"
#include "src/interpreter.h"
#include "src/objects/int.h"
#include "src/state.h"

namespace gpy {

// Methods of a class read what the builtin type under it reads; methods of `object` read anything.
static bool has_layout_of(const Type* owner, const Type* type) {
  const Type* native = native_base(const_cast<Type*>(owner));
  return native == owner->vm->types.object || type->instance_layout == native->instance_layout;
}

// An object of a class over int is read as the plain int that it holds.
static bool has_class_to_drop(const Type* owner, const Type* type) {
  return owner == owner->vm->types.integer && type->is_class;
}

bool reads(const Type* owner, const Type* type) {
  return type == owner || (type->is_subclass_of(owner) && has_layout_of(owner, type) &&
                           !has_class_to_drop(owner, type));
}

// Undefined if the object has no form of the owner's.
static Value converted(Interpreter& vm, const Type* owner, const Value& self) {
  const Slots& slots = vm.type_of(self)->slots;
  if (owner == vm.types.real && slots.to_float) return slots.to_float(vm, self);
  if (owner == vm.types.complex && slots.to_complex) return slots.to_complex(vm, self);
  return Value();
}

Value laid_out_as(Interpreter& vm, const Type* owner, const Value& self) {
  if (!has_layout_of(owner, vm.type_of(self))) return converted(vm, owner, self);
  return owner == vm.types.integer ? without_class(vm, self) : self;
}

// Undefined if the object is not one of the owner's.
static Value received(Interpreter& vm, const Type* owner, const Value& self) {
  return vm.is_instance(self, owner) ? laid_out_as(vm, owner, self) : Value();
}

static bool is_slot_method(Interpreter& vm, const NativeFunction& method) {
  return method.type == vm.state().slot_wrapper;
}

[[noreturn]] static void raise_does_not_apply(Interpreter& vm, const char* name, const Type* owner,
                                              const Value& self) {
  vm.raise_type_error("descriptor '{}' for '{}' objects doesn't apply to a '{}' object", name,
                      owner->full_name(), vm.type_name(self));
}

[[noreturn]] static void refuse(Interpreter& vm, const NativeFunction& method, const Value& self) {
  if (is_slot_method(vm, method)) {
    vm.raise_type_error("descriptor '{}' requires a '{}' object but received a '{}'",
                        method.row->name, method.owner->full_name(), vm.type_name(self));
  }
  raise_does_not_apply(vm, method.row->name, method.owner, self);
}

void check_binds(Interpreter& vm, const NativeFunction& method, const Value& instance) {
  if (!method.owner || is_received(method, instance)) return;
  if (!vm.is_instance(instance, method.owner)) {
    raise_does_not_apply(vm, method.row->name, method.owner, instance);
  }
}

void raise_no_receiver(Interpreter& vm, const NativeFunction& method) {
  if (is_slot_method(vm, method)) {
    vm.raise_type_error("descriptor '{}' of '{}' object needs an argument", method.row->name,
                        method.qualifier);
  }
  vm.raise_type_error("unbound method {}.{}() needs an argument", method.qualifier,
                      method.row->name);
}

// A class method gets the class it is called for.
static Value receiving_class(Interpreter& vm, const NativeFunction& method, const Value& given) {
  const Type* type = given.try_as<Type>();
  if (type && type->is_subclass_of(method.owner)) return given;
  vm.raise_type_error("descriptor '{}' requires a subtype of '{}' but received '{}'",
                      method.row->name, method.owner->full_name(),
                      type ? type->full_name() : vm.type_name(given));
}

Value try_receiver_of(Interpreter& vm, const NativeFunction& method, const Value& self) {
  if (is_received(method, self)) return self;
  if (method.row->binding == Native::class_method) return receiving_class(vm, method, self);
  if (method.takes_kin && vm.is_instance(self, method.owner)) return self;
  return received(vm, method.owner, self);
}

Value receiver_of(Interpreter& vm, const NativeFunction& method, const Value& self) {
  Value given = try_receiver_of(vm, method, self);
  if (given.is_undefined()) refuse(vm, method, self);
  return given;
}

// --- attributes that are computed ----------------------------------------------------------------

static Value receiver_of(Interpreter& vm, const Getter& getter, const Value& self) {
  Value given = received(vm, getter.owner, self);
  if (given.is_undefined()) raise_does_not_apply(vm, getter.row->name, getter.owner, self);
  return given;
}

Value Getter::get(Interpreter& vm, const Value& self) const {
  const bool is_own = self.is_object() && self.as_object()->type == owner;
  if (is_own) [[likely]]
    return row->get(vm, self);
  Value got = row->get(vm, receiver_of(vm, *this, self));
  const bool is_new = got.is_object() && got.as_object()->refs == 1;
  const ForClasses* known = is_new ? for_classes(owner) : nullptr;
  return known ? known->adopt(vm, vm.type_of(self), got, self) : got;
}

void Getter::set(Interpreter& vm, const Value& self, const Value& item) const {
  const Value given = receiver_of(vm, *this, self);
  if (row->set && (item.is_defined() || row->hears_of_deletes)) return row->set(vm, given, item);
  vm.raise(vm.types.attribute_error, fmt::format("attribute '{}' of '{}' objects is not writable",
                                                 row->name, vm.type_name(self)));
}

}  // namespace gpy
