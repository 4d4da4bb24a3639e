// The native part of collections; the rest is collections/__init__.gpy.
#include "stdlib/native/collections/collections.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

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
