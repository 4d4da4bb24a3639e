// The module _numba: the native half of numba.
#include "src/array/arrays.h"
#include "src/calls/call.h"
#include "src/kernel/compiled_objects.h"
#include "src/kernel/grid_objects.h"
#include "src/kernel/grid_versions.h"
#include "src/kernel/kernel_objects.h"
#include "src/kernel/translated_elementwise.h"
#include "src/translate/intrinsic.h"
#include "src/typed_native.h"
#include "stdlib/native/numba/open.h"

namespace gpy::lib {

namespace {

Value compile(Interpreter& vm, const Value& function, bool fast_math, bool parallel,
              bool checks_bounds, bool divides_as_numpy) {
  CompileOptions options;
  options.fast_math = fast_math;
  options.translation = {divides_as_numpy, checks_bounds, parallel};
  return make_compiled(vm, function, Dialect::kNumba, options);
}

Value compile_stencil(Interpreter& vm, const Value& spec) {
  return make_compiled_stencil(vm, spec);
}

Value elementwise(Interpreter& vm, const Value& function, bool of_numba) {
  return make_elementwise_of(vm, function, of_numba ? Dialect::kNumba : Dialect::kNumpy);
}

Value declare(Interpreter& vm, const Value& compiled, const Value& types, const Value& result) {
  const Value all = vm.call(Value(vm.types.tuple), {types});
  declare_signature(vm, compiled, all.as<Tuple>()->items(), result);
  return Value::none();
}

Value address(Interpreter& vm, const Value& compiled) {
  return Value::integer(reinterpret_cast<int64_t>(compiled_address(vm, compiled)));
}

Value prange(Interpreter& vm, std::span<const Value> bounds) {
  return vm.call(Value(vm.types.range),
                 CallArgs{bounds.data(), static_cast<uint32_t>(bounds.size())});
}

Value threads(Interpreter&) { return Value::integer(most_threads()); }
Value get_num_threads(Interpreter& vm) { return Value::integer(wanted_threads(vm)); }
Value set_num_threads(Interpreter& vm, int64_t count) {
  arrays(vm).parallel_threads = count;
  return Value::none();
}

Dialect dialect_of(Interpreter& vm, std::string_view rules) {
  if (rules == "numba") return Dialect::kNumba;
  if (rules == "cuda") return Dialect::kJitCuda;
  if (rules == "numpy") return Dialect::kJitNumpy;
  vm.raise_value_error("there are no rules of types '{}'", rules);
}

Value grid_function(Interpreter& vm, const Value& function, const Value& options,
                    std::string_view rules, bool debug) {
  return make_grid_function(vm, function, dialect_of(vm, rules), kernel_options(vm, options),
                            debug);
}

void check_grid(Interpreter& vm, const Value& kernel) {
  if (!kernel.is<GridObject>()) vm.raise_type_error("this is no kernel on a grid");
}

Value declare_kernel(Interpreter& vm, const Value& kernel, const Value& types) {
  check_grid(vm, kernel);
  declare_grid(vm, kernel, types);
  return Value::none();
}
Value kernel_signatures(Interpreter& vm, const Value& kernel) {
  check_grid(vm, kernel);
  return grid_signatures(vm, kernel);
}
Value kernel_attributes(Interpreter& vm, const Value& kernel, const Value& types) {
  check_grid(vm, kernel);
  return grid_attributes(vm, kernel, types);
}
Value kernel_text(Interpreter& vm, const Value& kernel, const Value& types, std::string_view form) {
  check_grid(vm, kernel);
  return grid_text(vm, kernel, types, form);
}
Value blocks_at_once(Interpreter& vm, const Value& kernel, const Value& types, int64_t threads,
                     int64_t shared_bytes) {
  check_grid(vm, kernel);
  return Value::integer(grid_blocks_at_once(vm, kernel, types, threads, shared_bytes));
}

Value intrinsic(Interpreter& vm, std::string_view name) {
  const Value found = make_intrinsic(vm, name);
  if (found.is_undefined()) vm.raise_value_error("there is no intrinsic '{}'", name);
  return found;
}

const Native kRows[] = {
    {"compile", "(function, fastmath, parallel, boundscheck, numpy_errors)", typed<compile>,
     "The function, compiled for the CPU for the types that it is called with."},
    {"compile_stencil", "(spec, /)", typed<compile_stencil>,
     "A function of neighbours, run at each place of an array."},
    {"elementwise", "(function, of_numba=True)", typed<elementwise>,
     "The function of numbers as an elementwise kernel."},
    {"declare", "(compiled, types, result)", typed<declare>,
     "Compiles the function for arguments of these types, and casts what it returns."},
    {"address", "(compiled, /)", typed<address>,
     "The address of the function of the last signature, as C calls it."},
    {"prange", "(*bounds)", typed<prange>,
     "range() whose rounds may run on all cores, in functions of njit(parallel=True)."},
    {"threads", "()", typed<threads>, "The threads that parallel loops may have."},
    {"get_num_threads", "()", typed<get_num_threads>, "The threads that parallel loops have."},
    {"set_num_threads", "(count, /)", typed<set_num_threads>,
     "Sets the threads that parallel loops have."},
    {"grid_function", "(function, options=(), rules='numba', debug=False)", typed<grid_function>,
     "The function as a kernel that is launched with a grid and a block."},
    {"declare_kernel", "(kernel, types, /)", typed<declare_kernel>,
     "Lets the kernel take arguments that become these types, and others that were declared."},
    {"kernel_signatures", "(kernel, /)", typed<kernel_signatures>,
     "The types that the kernel has been compiled for."},
    {"kernel_attributes", "(kernel, types, /)", typed<kernel_attributes>,
     "What the device knows of the kernel's code for arguments of these types."},
    {"kernel_text", "(kernel, types, form, /)", typed<kernel_text>,
     "That code as its source, as PTX or as machine code."},
    {"blocks_at_once", "(kernel, types, threads, shared_bytes, /)", typed<blocks_at_once>,
     "The blocks of it that the current device runs at once."},
    {"intrinsic", "(name, /)", typed<intrinsic>, "A name that has a meaning inside kernels only."},
};

Value open_numba(Interpreter& vm) {
  Ref<Module> numba = vm.make_module("_numba", kRows);
  Type* error = arrays(vm).translation_error;
  numba->set(vm, error->name, Value(static_cast<Object*>(error)));
  return numba;
}

}  // namespace

void register_numba_modules(Interpreter& vm) { vm.register_module("_numba", open_numba); }

}  // namespace gpy::lib
