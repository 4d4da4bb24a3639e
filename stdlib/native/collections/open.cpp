// The native part of collections; the rest is collections/__init__.gpy.
#include "stdlib/native/collections/collections.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

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
