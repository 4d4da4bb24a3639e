// Attribute access: the type's attributes for its instances first, then the instance's own.
#include <algorithm>

#include "src/classes/attributes.h"
#include "src/classes/class_slots.h"
#include "src/classes/property.h"
#include "src/modules/import.h"
#include "src/interpreter.h"
#include "src/types/slot_methods.h"
#include "src/state.h"
#include "src/text/suggest.h"

namespace gpy {

Value bound_attribute(Interpreter& vm, const Value& attribute, const Value& instance, Type* owner) {
  if (!attribute.is_object()) return attribute;
  auto bind = attribute.as_object()->type->slots.bind;
  return bind ? bind(vm, attribute, instance, owner) : attribute;
}

// The attribute without a call of __getattr__; undefined if there is none.
static Value find_plainly(Interpreter& vm, const Value& self, Str* name) {
  Type* type = vm.type_of(self);
  const Value* found = type->lookup(name);
  if (found && found->is<Getter>()) return found->as<Getter>()->get(vm, self);
  if (found && found->is<Property>()) {
    Ref<Property> property(found->as<Property>());
    return property->get(vm, self, name);
  }
  if (type->slots.getattr) {
    Value own = type->slots.getattr(vm, self, name);
    if (own.is_defined()) return own;
  }
  if (found) return bound_attribute(vm, Value(*found), self, type);
  Value method = slot_method(vm, type, name);
  return method.is_defined() ? bound_attribute(vm, method, self, type) : method;
}

// The attribute of an object whose class has __getattr__: `hook` is called for a name not found.
static Value find_by_hook(Interpreter& vm, const Value& self, Str* name, const Value& hook) {
  try {
    Value found = find_plainly(vm, self, name);
    if (found.is_defined()) return found;
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.attribute_error)) throw;
  }
  return call_special(vm, hook, self, {Value(name)});
}

static const Value* hook_of(Interpreter& vm, const Value& self) {
  Type* type = vm.type_of(self);
  return type->is_class ? type->lookup(vm.state().names.__getattr__) : nullptr;
}

Value Interpreter::try_get_attribute(const Value& self, Str* name) {
  if (!type_of(self)->is_class) return find_plainly(*this, self, name);
  try {
    return find_attribute(*this, self, name);
  } catch (const Raised& raised) {
    if (!is_instance(raised.exception, types.attribute_error)) throw;
    return Value();
  }
}

Value find_attribute(Interpreter& vm, const Value& self, Str* name) {
  const Value* hook = hook_of(vm, self);
  return hook ? find_by_hook(vm, self, name, Value(*hook)) : find_plainly(vm, self, name);
}

Value Interpreter::get_attribute(const Value& self, Str* name) {
  Value found = find_attribute(*this, self, name);
  if (found.is_undefined()) raise_attribute_error(self, name);
  return found;
}

bool set_plainly(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  Type* type = vm.type_of(self);
  const Value* found = type->lookup(name);
  if (found && found->is<Getter>()) {
    found->as<Getter>()->set(vm, self, item);
    return true;
  }
  if (found && found->is<Property>()) {
    Ref<Property> property(found->as<Property>());
    property->set(vm, self, name, item);
    return true;
  }
  if (type->is_class) {
    if (set_own_attribute(vm, self, name, item)) return true;
    found = type->has_fixed_attributes ? type->lookup(name) : nullptr;
  } else if (type->slots.setattr && type->slots.setattr(vm, self, name, item)) {
    return true;
  }
  if (found) {
    vm.raise(vm.types.attribute_error,
             fmt::format("'{}' object attribute '{}' is read-only", type->name, name->view()));
  }
  return false;
}

static bool change(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  Type* type = vm.type_of(self);
  bool has_hook = type->is_class && type->slots.setattr == class_setattr;
  return has_hook ? class_setattr(vm, self, name, item) : set_plainly(vm, self, name, item);
}

void Interpreter::set_attribute(const Value& self, Str* name, const Value& item) {
  if (!change(*this, self, name, item)) raise_attribute_error(self, name);
}

void Interpreter::delete_attribute(const Value& self, Str* name) {
  if (!change(*this, self, name, Value())) raise_attribute_error(self, name);
}

std::vector<Str*> Interpreter::attribute_names(const Value& self) {
  std::vector<Str*> names;
  Type* type = type_of(self);
  if (type->slots.list_names) type->slots.list_names(*this, self, names);
  if (!self.is<Module>() && !self.is<Type>()) {  // a class names those of its instances
    for (Type* each : type->mro) {
      each->lookup(state_->names.__doc__);  // so that its rows become attributes
      for (auto& entry : each->attributes->entries()) {
        if (entry.key.is<Str>()) names.push_back(entry.key.as<Str>());
      }
    }
  }
  auto before = [](Str* a, Str* b) { return a->view() < b->view(); };
  std::sort(names.begin(), names.end(), before);
  auto same = [](Str* a, Str* b) { return a->view() == b->view(); };
  names.erase(std::unique(names.begin(), names.end(), same), names.end());
  return names;
}

static std::string attribute_message(Interpreter& vm, const Value& self, Str* name) {
  if (const Module* module = self.try_as<Module>()) {
    if (is_initialising(*module)) {
      return fmt::format(
          "partially initialized module '{}' has no attribute '{}' (most likely due to a circular "
          "import)",
          module->name, name->view());
    }
    return fmt::format("module '{}' has no attribute '{}'", module->name, name->view());
  }
  if (const Type* type = self.try_as<Type>()) {
    const bool is_enumeration = type->type != vm.types.type;
    if (is_enumeration) return std::string(name->view());
    return fmt::format("type object '{}' has no attribute '{}'", type->name, name->view());
  }
  return fmt::format("'{}' object has no attribute '{}'", vm.type_name(self), name->view());
}

Ref<Exception> attribute_error(Interpreter& vm, const Value& self, Str* name) {
  Ref<Exception> error =
      vm.make_exception(vm.types.attribute_error, attribute_message(vm, self, name));
  vm.set_attribute(error, vm.state().names.name, Value(name));
  vm.set_attribute(error, vm.state().names.obj, self);
  return error;
}

void Interpreter::raise_attribute_error(const Value& self, Str* name) {
  raise(attribute_error(*this, self, name));
}

}  // namespace gpy
