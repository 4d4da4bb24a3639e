// The native part of collections; the rest is collections/__init__.gpy.
#include "stdlib/native/collections/collections.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

Value attributes_or_none(Interpreter& vm, const Value& self) {
  Value attributes = vm.try_get_attribute(self, vm.intern("__dict__"));
  return attributes.is_defined() ? attributes : Value::none();
}

Value dict_fromkeys(Interpreter& vm, const Value& type, const Value& keys, const Value& value) {
  Value dict = vm.call(type);
  vm.for_each(keys, [&](const Value& key) { vm.set_item(dict, key, value); });
  return dict;
}

Value open__collections(Interpreter& vm) {
  Ref<Module> module = vm.make_module("_collections");
  add_deque(vm, *module);
  add_defaultdict(vm, *module);
  add_ordered_dict(vm, *module);
  add_counter(vm, *module);
  add_namedtuple(vm, *module);
  return module;
}

}  // namespace gpy::lib
