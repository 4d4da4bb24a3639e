// The types property, staticmethod and classmethod.
#include "src/classes/property.h"

#include "src/calls/args.h"
#include "src/interpreter.h"
#include "src/state.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "src/types/setup.h"

namespace gpy {

// --- property ------------------------------------------------------------------------------------

[[noreturn]] static void refuse(Interpreter& vm, const Value& self, Str* name, const char* what) {
  std::string text =
      name ? fmt::format("property '{}' of '{}' object has no {}", name->view(), vm.type_name(self),
                         what)
           : fmt::format("property of '{}' object has no {}", vm.type_name(self), what);
  vm.raise(vm.types.attribute_error, text);
}

[[noreturn]] static void refuse_change(Interpreter& vm, const Value& item) {
  const char* what = item.is_undefined() ? "can't delete attribute" : "can't set attribute";
  vm.raise(vm.types.attribute_error, what);
}

Value Property::get(Interpreter& vm, const Value& self, Str* name) const {
  if (type != vm.types.property) {
    return type->slots.bind(vm, Value(const_cast<Property*>(this)), self, vm.type_of(self));
  }
  if (getter.is_none()) refuse(vm, self, name, "getter");
  Value kept = getter;
  return vm.call(kept, {self});
}

void Property::set(Interpreter& vm, const Value& self, Str* name, const Value& item) const {
  if (type != vm.types.property) refuse_change(vm, item);
  Value function = item.is_undefined() ? deleter : setter;
  if (function.is_none()) refuse(vm, self, name, item.is_undefined() ? "deleter" : "setter");
  if (item.is_undefined()) {
    vm.call(function, {self});
  } else {
    vm.call(function, {self, item});
  }
}

static Value bind_property(Interpreter& vm, const Value& attribute, const Value& instance, Type*) {
  if (instance.is_undefined()) return attribute;
  return attribute.as<Property>()->get(vm, instance, nullptr);
}

static Value doc_of(Interpreter& vm, const Value& function) {
  if (function.is_none()) return Value::none();
  Value doc = vm.try_get_attribute(function, vm.state().names.__doc__);
  return doc.is_defined() ? doc : Value::none();
}

static Value make_property(Interpreter& vm, Type& cls, const Value& fget, const Value& fset,
                           const Value& fdel, const Value& doc) {
  auto property = vm.make<Property>(&cls);
  property->getter = fget;
  property->setter = fset;
  property->deleter = fdel;
  property->doc = doc.is_none() ? doc_of(vm, fget) : doc;
  return property;
}

static Ref<Property> copied(Interpreter& vm, const Property& property) {
  auto copy = vm.make<Property>(property.type);
  copy->getter = property.getter;
  copy->setter = property.setter;
  copy->deleter = property.deleter;
  copy->doc = property.doc;
  return copy;
}

static Value with_getter(Interpreter& vm, Property& self, const Value& function) {
  Ref<Property> copy = copied(vm, self);
  copy->getter = function;
  copy->doc = doc_of(vm, function);
  return copy;
}

static Value with_setter(Interpreter& vm, Property& self, const Value& function) {
  Ref<Property> copy = copied(vm, self);
  copy->setter = function;
  return copy;
}

static Value with_deleter(Interpreter& vm, Property& self, const Value& function) {
  Ref<Property> copy = copied(vm, self);
  copy->deleter = function;
  return copy;
}

static const Native kPropertyMethods[] = {
    {"getter", "(self, function, /)", typed<with_getter>, "The property with another getter."},
    {"setter", "(self, function, /)", typed<with_setter>, "The property with a setter."},
    {"deleter", "(self, function, /)", typed<with_deleter>, "The property with a deleter."},
};

static Value property_getter(Interpreter&, const Value& self) {
  return self.as<Property>()->getter;
}
static Value property_setter(Interpreter&, const Value& self) {
  return self.as<Property>()->setter;
}
static Value property_deleter(Interpreter&, const Value& self) {
  return self.as<Property>()->deleter;
}
static Value property_doc(Interpreter&, const Value& self) { return self.as<Property>()->doc; }
static void set_property_doc(Interpreter&, const Value& self, const Value& item) {
  self.as<Property>()->doc = item;
}

static const NativeGetter kPropertyGetters[] = {
    {"fget", property_getter},
    {"fset", property_setter},
    {"fdel", property_deleter},
    {"__doc__", property_doc, set_property_doc},
};

static const Native kMakeProperty = {"property", "(cls, fget=None, fset=None, fdel=None, doc=None)",
                                     typed<make_property>,
                                     "An attribute that calls functions of its class."};

// --- staticmethod, classmethod -------------------------------------------------------------------

template <class Method>
static Value make_wrapper(Interpreter& vm, Type& cls, const Value& function) {
  return vm.make<Method>(&cls, function);
}

template <class Method> static Value wrapped_function(Interpreter&, const Value& self) {
  return self.as<Method>()->function;
}

template <class Method>
static Value wrapper_getattr(Interpreter& vm, const Value& self, Str* name) {
  return vm.try_get_attribute(self.as<Method>()->function, name);
}

static Value bind_static(Interpreter&, const Value& attribute, const Value&, Type*) {
  return attribute.as<StaticMethod>()->function;
}

static Value call_static(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  return vm.call(self.as<StaticMethod>()->function, arguments);
}

// A classmethod over another wrapper binds that one to the class.
static Value bind_class(Interpreter& vm, const Value& attribute, const Value&, Type* owner) {
  Value function = attribute.as<ClassMethod>()->function;
  if (function.is<NativeFunction>()) function.as<NativeFunction>()->is_method = true;
  if (function.is<Property>()) return function.as<Property>()->get(vm, Value(owner), nullptr);
  bool is_native = function.is<NativeFunction>();
  Type* type = is_native ? vm.state().bound_native : vm.types.bound_method;
  return vm.make<BoundMethod>(type, function, Value(owner));
}

static const Native kMakeStatic = {"staticmethod", "(cls, function, /)",
                                   typed<make_wrapper<StaticMethod>>,
                                   "A function in a class that gets no self."};
static const Native kMakeClassMethod = {"classmethod", "(cls, function, /)",
                                        typed<make_wrapper<ClassMethod>>,
                                        "A function in a class that gets the class for self."};
static const NativeGetter kStaticGetters[] = {{"__func__", wrapped_function<StaticMethod>},
                                              {"__wrapped__", wrapped_function<StaticMethod>}};
static const NativeGetter kClassGetters[] = {{"__func__", wrapped_function<ClassMethod>},
                                             {"__wrapped__", wrapped_function<ClassMethod>}};

void setup_class_attributes(Interpreter& vm) {
  Types& t = vm.types;
  t.property =
      vm.make_type<Property>({.name = "property",
                              .doc = "An attribute that calls functions of its class.",
                              .slots = {.bind = bind_property,
                                        .traverse = traverse<&Property::getter, &Property::setter,
                                                             &Property::deleter, &Property::doc>},
                              .methods = kPropertyMethods,
                              .getters = kPropertyGetters,
                              .constructor = &kMakeProperty});
  t.static_method =
      vm.make_type<StaticMethod>({.name = "staticmethod",
                                  .doc = "A function in a class that gets no self.",
                                  .slots = {.call = call_static,
                                            .getattr = wrapper_getattr<StaticMethod>,
                                            .bind = bind_static,
                                            .traverse = traverse<&StaticMethod::function>},
                                  .getters = kStaticGetters,
                                  .constructor = &kMakeStatic});
  t.class_method =
      vm.make_type<ClassMethod>({.name = "classmethod",
                                 .doc = "A function in a class that gets the class for self.",
                                 .slots = {.getattr = wrapper_getattr<ClassMethod>,
                                           .bind = bind_class,
                                           .traverse = traverse<&ClassMethod::function>},
                                 .getters = kClassGetters,
                                 .constructor = &kMakeClassMethod});
}

}  // namespace gpy
