// The module itertools.
#include "stdlib/native/itertools/itertools.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

Value open_itertools(Interpreter& vm) {
  Ref<Module> module = vm.make_module("itertools");
  add_counting(vm, *module);
  add_streams(vm, *module);
  add_parallel(vm, *module);
  add_groups(vm, *module);
  add_combinations(vm, *module);
  return module;
}

}  // namespace gpy::lib
