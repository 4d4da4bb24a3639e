// Attribute access: what a type says of its instances first, then what the instance has.
#include <algorithm>

#include "src/interpreter.h"
#include "src/slot_methods.h"
#include "src/state.h"
#include "src/suggest.h"

namespace gpy {

static Value bound(Interpreter& vm, const Value& attribute, const Value& self, Type* type) {
  if (!attribute.is_object()) return attribute;
  auto bind = attribute.as_object()->type->slots.bind;
  return bind ? bind(vm, attribute, self, type) : attribute;
}

Value Interpreter::try_get_attribute(const Value& self, Str* name) {
  Type* type = type_of(self);
  const Value* found = type->lookup(name);
  if (found && found->is<Getter>()) return found->as<Getter>()->row->get(*this, self);
  if (type->slots.getattr) {
    Value own = type->slots.getattr(*this, self, name);
    if (own.is_defined()) return own;
  }
  if (found) return bound(*this, *found, self, type);
  Value method = slot_method(*this, type, name);
  return method.is_defined() ? bound(*this, method, self, type) : method;
}

Value Interpreter::get_attribute(const Value& self, Str* name) {
  Value found = try_get_attribute(self, name);
  if (found.is_undefined()) raise_attribute_error(self, name);
  return found;
}

static bool set_own(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  Type* type = vm.type_of(self);
  const Value* found = type->lookup(name);
  if (found && found->is<Getter>()) {
    const NativeGetter& row = *found->as<Getter>()->row;
    if (!row.set || item.is_undefined()) {
      vm.raise(vm.types.attribute_error,
               fmt::format("attribute '{}' of '{}' objects is not writable", name->view(),
                           type->full_name()));
    }
    row.set(vm, self, item);
    return true;
  }
  if (type->slots.setattr && type->slots.setattr(vm, self, name, item)) return true;
  if (found) {
    vm.raise(vm.types.attribute_error,
             fmt::format("'{}' object attribute '{}' is read-only", type->name, name->view()));
  }
  return false;
}

void Interpreter::set_attribute(const Value& self, Str* name, const Value& item) {
  if (!set_own(*this, self, name, item)) raise_attribute_error(self, name);
}

void Interpreter::delete_attribute(const Value& self, Str* name) {
  if (!set_own(*this, self, name, Value())) raise_attribute_error(self, name);
}

std::vector<Str*> Interpreter::attribute_names(const Value& self) {
  std::vector<Str*> names;
  Type* type = type_of(self);
  if (type->slots.list_names) type->slots.list_names(*this, self, names);
  if (!self.is<Module>()) {
    for (Type* each : type->mro) {
      each->lookup(state_->names.__doc__);  // so that its rows are there
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
    return fmt::format("module '{}' has no attribute '{}'", module->name, name->view());
  }
  if (const Type* type = self.try_as<Type>()) {
    return fmt::format("type object '{}' has no attribute '{}'", type->name, name->view());
  }
  return fmt::format("'{}' object has no attribute '{}'", vm.type_of(self)->full_name(),
                     name->view());
}

void Interpreter::raise_attribute_error(const Value& self, Str* name) {
  Ref<Exception> error =
      make_exception(types.attribute_error, attribute_message(*this, self, name));
  set_attribute(error, state_->names.name, Value(name));
  set_attribute(error, state_->names.obj, self);
  raise(error);
}

}  // namespace gpy
