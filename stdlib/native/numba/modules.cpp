// The module _numba: the native half of numba.
#include "src/kernel/compiled_objects.h"
#include "src/kernel/grid_objects.h"
#include "src/kernel/kernel_objects.h"
#include "src/translate/intrinsic.h"
#include "src/typed_native.h"
#include "stdlib/native/numba/open.h"

namespace gpy::lib {

namespace {

Value compile(Interpreter& vm, const Value& function) {
  return make_compiled(vm, function, Dialect::kNumba);
}

Value grid_function(Interpreter& vm, const Value& function, const Value& options) {
  return make_grid_function(vm, function, kernel_options(vm, options));
}

Value intrinsic(Interpreter& vm, std::string_view name) {
  const Value found = make_intrinsic(vm, name);
  if (found.is_undefined()) vm.raise_value_error("there is no intrinsic '{}'", name);
  return found;
}

const Native kRows[] = {
    {"compile", "(function, /)", typed<compile>,
     "The function, compiled for the CPU for the types that it is called with."},
    {"grid_function", "(function, options=())", typed<grid_function>,
     "The function as a kernel that is launched with a grid and a block."},
    {"intrinsic", "(name, /)", typed<intrinsic>, "A name that has a meaning inside kernels only."},
};

Value open_numba(Interpreter& vm) { return vm.make_module("_numba", kRows); }

}  // namespace

void register_numba_modules(Interpreter& vm) { vm.register_module("_numba", open_numba); }

}  // namespace gpy::lib
