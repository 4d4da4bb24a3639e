// The native part of collections; the rest is collections/__init__.gpy.
#include "stdlib/native/collections/collections.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

Value attributes_or_none(Interpreter& vm, const Value& self) {
  Value attributes = vm.try_get_attribute(self, vm.intern("__dict__"));
  return attributes.is_defined() ? attributes : Value::none();
}

Value dict_fromkeys(Interpreter& vm, Args args) {
  Value dict = vm.call(args[0]);
  vm.for_each(args[1], [&](const Value& key) { vm.set_item(dict, key, args[2]); });
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
