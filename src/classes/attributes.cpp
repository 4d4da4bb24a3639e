#include "src/classes/attributes.h"

#include "src/classes/class_slots.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

// --- the dict beside an object over a builtin type -----------------------------------------------

static Dict* find_beside(Interpreter& vm, const Value& self) {
  auto& all = vm.state().own_attributes;
  auto found = all.find(self.as_object());
  return found == all.end() ? nullptr : found->second.get();
}

static Dict& dict_beside(Interpreter& vm, const Value& self) {
  auto& own = vm.state().own_attributes[self.as_object()];
  if (!own) own = vm.dict();
  return *own;
}

// Exceptions store their attributes in another way.
static bool keeps_its_own(const Value& self) { return self.is<Exception>(); }

// --- reading -------------------------------------------------------------------------------------

static Value dict_of(Interpreter& vm, const Value& self) {
  if (auto* instance = self.try_as<Instance>()) return Value(&instance->dict(vm));
  if (auto* exception = self.try_as<Exception>()) {
    if (!exception->attributes) exception->attributes = vm.dict();
    return exception->attributes;
  }
  return Value(&dict_beside(vm, self));
}

Value class_getattr(Interpreter& vm, const Value& self, Str* name) {
  Type* type = vm.type_of(self);
  if (name == vm.state().names.__dict__ && !type->has_fixed_attributes) return dict_of(vm, self);
  if (auto* instance = self.try_as<Instance>()) return instance->get(vm, name);
  if (Dict* beside = find_beside(vm, self)) {
    if (Value* found = beside->find(name)) return *found;
  }
  auto native = native_base(type)->slots.getattr;
  return native ? native(vm, self, name) : Value();
}

static void add_names(Dict& dict, std::vector<Str*>& names) {
  for (auto& entry : dict.entries()) {
    if (entry.key.is<Str>()) names.push_back(entry.key.as<Str>());
  }
}

void class_list_names(Interpreter& vm, const Value& self, std::vector<Str*>& names) {
  if (auto* instance = self.try_as<Instance>()) {
    if (!instance->shape) return add_names(*instance->attributes, names);
    for (const Shape* at = instance->shape; at->count(); at = at->before()) {
      names.push_back(at->last_name());
    }
    return;
  }
  if (Dict* beside = find_beside(vm, self)) add_names(*beside, names);
  if (auto native = native_base(vm.type_of(self))->slots.list_names) native(vm, self, names);
}

// --- writing -------------------------------------------------------------------------------------

bool names_slot(Interpreter& vm, const Value& slots, Str* name) {
  if (const Str* one = slots.try_as<Str>()) return one->view() == name->view();
  return vm.contains(slots, Value(name));
}

Ref<Dict> dict_to_set(Interpreter& vm, const Value& item) {
  if (item.is_undefined()) vm.raise_type_error("cannot delete __dict__");
  if (Dict* dict = item.try_as<Dict>()) return Ref<Dict>(dict);
  vm.raise_type_error("__dict__ must be set to a dictionary, not a '{}'", vm.type_name(item));
}

// Sets the dict; deleting it makes it empty.
static void set_dict(Interpreter& vm, const Value& self, const Value& item) {
  Ref<Dict> dict = item.is_undefined() ? vm.dict() : dict_to_set(vm, item);
  if (auto* instance = self.try_as<Instance>()) {
    instance->dict(vm);  // from now on it is kept there
    instance->attributes = std::move(dict);
  } else {
    vm.state().own_attributes[self.as_object()] = std::move(dict);
  }
}

static bool is_allowed(Type* type, Str* name) {
  Interpreter& vm = *type->vm;
  for (Type* each : type->mro) {
    Value* slots = each->is_class ? each->attributes->find(vm.state().names.__slots__) : nullptr;
    if (slots && names_slot(vm, *slots, name)) return true;
  }
  return false;
}

bool set_own_attribute(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  Type* type = vm.type_of(self);
  if (name == vm.state().names.__dict__ && !type->has_fixed_attributes && !keeps_its_own(self)) {
    set_dict(vm, self, item);
    return true;
  }
  if (type->has_fixed_attributes && !is_allowed(type, name)) return false;
  if (auto* instance = self.try_as<Instance>()) {
    if (item.is_undefined()) return instance->erase(vm, name);
    instance->set(vm, name, item);
    return true;
  }
  if (keeps_its_own(self)) return native_base(type)->slots.setattr(vm, self, name, item);
  if (item.is_undefined()) {
    Dict* beside = find_beside(vm, self);
    return beside && beside->erase(name);
  }
  dict_beside(vm, self).set(name, item);
  return true;
}

bool class_setattr(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  auto& names = vm.state().names;
  Type* type = vm.type_of(self);
  const Value* method =
      find_special(type, item.is_undefined() ? names.__delattr__ : names.__setattr__);
  if (!method) return set_plainly(vm, self, name, item);
  if (item.is_undefined()) {
    call_special(vm, *method, self, {Value(name)});
  } else {
    call_special(vm, *method, self, {Value(name), item});
  }
  return true;
}

}  // namespace gpy
