// functools.cached_property: an attribute computed at first use, and then the instance's own.
#include "src/classes/attributes.h"
#include "src/typed_native.h"
#include "src/types/generic_alias.h"
#include "stdlib/native/functools/functools.h"

namespace gpy::lib {

namespace {

struct CachedProperty : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  CachedProperty(Type* type, Value function) : Object(type), function(std::move(function)) {}
  Value function;
  Value name = Value::none();  // the name in the class
  template <class F> void each_field(F&& f) { f(function), f(name); }
};

}  // namespace

static Value make_cached_property(Interpreter& vm, Type& cls, const Value& function) {
  return vm.make<CachedProperty>(&cls, function);
}

// Called only while the instance has no attribute of that name. The computed value is stored
// without the class's __setattr__.
static Value bind_cached(Interpreter& vm, const Value& attribute, const Value& instance, Type*) {
  if (instance.is_undefined()) return attribute;
  auto& property = *attribute.as<CachedProperty>();
  if (property.name.is_none()) {
    vm.raise_type_error("Cannot use cached_property instance without calling __set_name__ on it.");
  }
  Ref<Str> name(vm.intern(vm.to_text(property.name)));
  Value value = vm.call(property.function, {instance});
  if (!set_own_attribute(vm, instance, name.get(), value)) {
    vm.raise_type_error("No '__dict__' attribute on '{}' instance to cache '{}' property.",
                        vm.type_of(instance)->name, name->view());
  }
  return value;
}

static Value set_name(Interpreter& vm, CachedProperty& self, const Value&, const Value& name) {
  if (!self.name.is_none() && !vm.equal(self.name, name)) {
    vm.raise_type_error(
        "Cannot assign the same cached_property to two different names ({} and {}).",
        vm.repr(self.name), vm.repr(name));
  }
  self.name = name;
  return Value::none();
}

static const Native kMethods[] = {
    {"__set_name__", "(self, owner, name, /)", typed<set_name>, "Tells it its name in the class."},
};

static Value get_function(Interpreter&, const Value& self) {
  return self.as<CachedProperty>()->function;
}
static Value get_doc(Interpreter& vm, const Value& self) {
  return vm.get_attribute(self.as<CachedProperty>()->function, "__doc__");
}
static const NativeGetter kGetters[] = {{"func", get_function}, {"__doc__", get_doc}};

static const Native kConstructor = {"cached_property", "(cls, func)", typed<make_cached_property>,
                                    "A property whose value is computed once an instance."};

void add_cached_property(Interpreter& vm, Module& module) {
  Type* type = vm.make_type<CachedProperty>(
      {.name = "cached_property",
       .module = "functools",
       .doc = kConstructor.doc,
       .slots = {.bind = bind_cached, .traverse = traverse_fields<CachedProperty>},
       .methods = kMethods,
       .getters = kGetters,
       .constructor = &kConstructor});
  take_type_arguments(type);
  module.set(vm, "cached_property", Value(type));
}

}  // namespace gpy::lib
