// The module _numba: the native half of numba.
#include "src/kernel/compiled_objects.h"
#include "src/typed_native.h"
#include "stdlib/native/numba/open.h"

namespace gpy::lib {

namespace {

Value compile(Interpreter& vm, const Value& function) {
  return make_compiled(vm, function, Dialect::kNumba);
}

const Native kRows[] = {
    {"compile", "(function, /)", typed<compile>,
     "The function, compiled for the CPU for the types that it is called with."},
};

Value open_numba(Interpreter& vm) { return vm.make_module("_numba", kRows); }

}  // namespace

void register_numba_modules(Interpreter& vm) { vm.register_module("_numba", open_numba); }

}  // namespace gpy::lib
