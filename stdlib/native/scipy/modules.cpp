// The package scipy, and the special functions that are ufuncs of ours.
#include "src/array/namespace.h"
#include "stdlib/native/numpy/ufunc_object.h"
#include "stdlib/native/scipy/open.h"

namespace gpy::lib {

namespace {

Value find_part(Interpreter& vm, Module&, Str* name) {
  if (name->view() == "signal") return vm.import_module("scipy.signal");
  if (name->view() == "special") return vm.import_module("scipy.special");
  return Value();
}

Value open_scipy(Interpreter& vm) {
  Ref<Module> package = vm.make_module("scipy");
  package->missing = find_part;
  return package;
}

Value find_special(Interpreter& vm, Module& module, Str* name) {
  const auto& names = *static_cast<const Namespace*>(module.context);
  return find_special_ufunc(vm, names, name->view());
}

void list_special(Interpreter& vm, Module&, std::vector<Str*>& names) {
  list_special_ufuncs(vm, names);
}

Value open_special(Interpreter& vm, const char* name, const Namespace& names) {
  Ref<Module> module = vm.make_module(name, {}, names.context());
  module->missing = find_special;
  module->list_missing = list_special;
  return module;
}

Value open_scipy_special(Interpreter& vm) { return open_special(vm, "scipy.special", kNumpy); }

}  // namespace

Value open_cupyx_special(Interpreter& vm) { return open_special(vm, "cupyx.scipy.special", kCupy); }

void register_scipy_modules(Interpreter& vm) {
  vm.register_module("scipy", open_scipy);
  vm.register_module("scipy.signal", open_scipy_signal);
  vm.register_module("scipy.special", open_scipy_special);
}

}  // namespace gpy::lib
