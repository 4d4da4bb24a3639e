// The native part of functools; the rest is functools.gpy.
#include "stdlib/native/functools/functools.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

Value open__functools(Interpreter& vm) {
  Ref<Module> module = vm.make_module("_functools");
  add_partial(vm, *module);
  add_lru_cache(vm, *module);
  add_sort_keys(vm, *module);
  add_cached_property(vm, *module);
  return module;
}

}  // namespace gpy::lib
