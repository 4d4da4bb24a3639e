#pragma once
// Support for native objects that act like functions: attributes that a script may set (for
// structs that hold `Ref<Dict> attributes`), and binding as methods.

#include "src/classes/attributes.h"
#include "src/objects/builtin.h"
#include "src/interpreter.h"

namespace gpy::lib {

template <class T> Dict& own_attributes(Interpreter& vm, const Value& self) {
  auto& attributes = self.template as<T>()->attributes;
  if (!attributes) attributes = vm.dict();
  return *attributes;
}

template <class T> Value get_own(Interpreter&, const Value& self, Str* name) {
  auto& attributes = self.template as<T>()->attributes;
  Value* found = attributes ? attributes->find(name) : nullptr;
  return found ? *found : Value();
}

template <class T> bool set_own(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  Dict& attributes = own_attributes<T>(vm, self);
  if (item.is_undefined()) return attributes.erase(name);
  attributes.set(name, item);
  return true;
}

template <class T> void list_own(Interpreter& vm, const Value& self, std::vector<Str*>& names) {
  Dict& own = own_attributes<T>(vm, self);
  for (auto& entry : own.entries()) {
    if (entry.key.is<Str>()) names.push_back(entry.key.as<Str>());
  }
}

template <class T> Value get_own_dict(Interpreter& vm, const Value& self) {
  return Value(Ref<Dict>(&own_attributes<T>(vm, self)));
}

template <class T> void set_own_dict(Interpreter& vm, const Value& self, const Value& item) {
  self.template as<T>()->attributes = dict_to_set(vm, item);
}

template <class T> Value get_own_doc(Interpreter& vm, const Value& self) {
  Value doc = get_own<T>(vm, self, vm.intern("__doc__"));
  if (doc.is_defined()) return doc;
  const char* text = self.as_object()->type->doc;
  return text ? vm.str(text) : Value::none();
}

template <class T> void set_own_doc(Interpreter& vm, const Value& self, const Value& doc) {
  own_attributes<T>(vm, self).set(vm.intern("__doc__"), doc);
}

// Slots::bind of an object that is called like a function: the instance comes first.
inline Value bind_as_method(Interpreter& vm, const Value& attribute, const Value& instance, Type*) {
  if (instance.is_undefined()) return attribute;
  return vm.make<BoundMethod>(vm.types.bound_method, attribute, instance);
}

}  // namespace gpy::lib

// The getters of these attributes.
#define GPY_OWN_ATTRIBUTES(T)                                 \
  {"__dict__", get_own_dict<T>, set_own_dict<T>, "", true}, { \
    "__doc__", get_own_doc<T>, set_own_doc<T>, ""             \
  }
