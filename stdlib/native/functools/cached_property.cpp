// functools.cached_property: an attribute computed at first use, and then the instance's own.
#include "stdlib/native/functools/functools.h"

namespace gpy::lib {

namespace {

struct CachedProperty : Object {
  static constexpr Layout kLayout = Layout::plain;
  CachedProperty(Type* type, Value function) : Object(type), function(std::move(function)) {}
  Value function;
  template <class F> void each_field(F&& f) { f(function); }
};

}  // namespace

static Value make_cached_property(Interpreter& vm, Args args) {
  return vm.make<CachedProperty>(args[0].as<Type>(), args[1]);
}

// Asked only while the instance has no attribute of that name.
static Value bind_cached(Interpreter& vm, const Value& attribute, const Value& instance, Type*) {
  if (instance.is_undefined()) return attribute;
  auto& property = *attribute.as<CachedProperty>();
  Value value = vm.call(property.function, {instance});
  Value name = vm.get_attribute(property.function, "__name__");
  vm.set_attribute(instance, vm.intern(vm.to_text(name)), value);
  return value;
}

static Value get_function(Interpreter&, const Value& self) {
  return self.as<CachedProperty>()->function;
}
static Value get_doc(Interpreter& vm, const Value& self) {
  return vm.get_attribute(self.as<CachedProperty>()->function, "__doc__");
}
static const NativeGetter kGetters[] = {{"func", get_function}, {"__doc__", get_doc}};

static const Native kConstructor = {"cached_property", "(cls, func)", make_cached_property,
                                    "A property whose value is computed once an instance."};

void add_cached_property(Interpreter& vm, Module& module) {
  module.set(vm, "cached_property",
             Value(vm.make_type<CachedProperty>(
                 {.name = "cached_property",
                  .module = "functools",
                  .doc = kConstructor.doc,
                  .slots = {.bind = bind_cached, .traverse = traverse_fields<CachedProperty>},
                  .getters = kGetters,
                  .constructor = &kConstructor})));
}

}  // namespace gpy::lib
