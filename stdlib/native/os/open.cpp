// The module _os: the functions of the system that os/__init__.gpy needs.
#include "stdlib/native/modules.h"
#include "stdlib/native/os/os.h"

namespace gpy::lib {

Value open__os(Interpreter& vm) {
  Ref<Module> module = vm.make_module("_os");
  add_files(vm, *module);
  add_status(vm, *module);
  add_environment(vm, *module);
  add_process(vm, *module);
  return module;
}

}  // namespace gpy::lib
