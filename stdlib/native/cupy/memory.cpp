// cupy.cuda.MemoryPool: the memory that arrays of a device take and give back.
#include "runtime/backend.h"
#include "src/array/read_arguments.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

namespace {

struct MemoryPool : Object {
  static constexpr Layout kLayout = kMemoryPoolLayout;
  explicit MemoryPool(Type* type) : Object(type) {}
};

rt::Backend& current(Interpreter& vm) { return session(vm).backend_of(session(vm).device_space()); }

template <size_t rt::MemoryUse::*kField> Value count(Interpreter& vm, Args) {
  return Value::integer(static_cast<int64_t>(current(vm).memory_use().*kField));
}

Value free_bytes(Interpreter& vm, Args) {
  const rt::MemoryUse use = current(vm).memory_use();
  return Value::integer(static_cast<int64_t>(use.total - use.used));
}

Value free_all_blocks(Interpreter& vm, Args) {
  current(vm).free_all_blocks();
  return Value::none();
}

// (self, size, fraction)
Value set_limit(Interpreter& vm, Args args) {
  if (is_given(args[1]) && is_given(args[2])) {
    vm.raise_value_error("size and fraction cannot be specified at one time");
  }
  int64_t bytes = 0;
  if (is_given(args[1])) {
    bytes = vm.to_index(args[1]);
    if (bytes < 0) vm.raise_value_error("memory limit size out of range: {}", bytes);
  } else if (is_given(args[2])) {
    const double fraction = vm.to_real(args[2]);
    if (!(fraction >= 0 && fraction <= 1)) {
      vm.raise_value_error("memory limit fraction out of range: {}", fraction);
    }
    bytes = static_cast<int64_t>(fraction *
                                 static_cast<double>(current(vm).device_info().memory_total));
  } else {
    vm.raise_value_error("size or fraction must be given");
  }
  current(vm).set_memory_limit(static_cast<size_t>(bytes));
  return Value::none();
}

const Native kMethods[] = {
    {"used_bytes", "(self)", count<&rt::MemoryUse::used>, "Bytes that arrays hold."},
    {"total_bytes", "(self)", count<&rt::MemoryUse::total>, "Bytes taken from the device."},
    {"free_bytes", "(self)", free_bytes, "Bytes taken from the device that no array holds."},
    {"n_free_blocks", "(self)", count<&rt::MemoryUse::free_blocks>,
     "How many free blocks there are."},
    {"free_all_blocks", "(self, stream=None)", free_all_blocks,
     "Gives free blocks back to the device."},
    {"set_limit", "(self, size=None, fraction=None)", set_limit,
     "Limits the memory; 0 takes the limit off."},
    {"get_limit", "(self)", count<&rt::MemoryUse::limit>, "The limit in bytes; 0 for none."},
};

const Native kConstructor = {
    "MemoryPool", "(cls, allocator=None)",
    [](Interpreter& vm, Args args) -> Value {
      if (is_given(args[1]))
        vm.raise_not_implemented_error("MemoryPool: allocators cannot be chosen yet");
      return vm.make<MemoryPool>(args[0].as<Type>());
    },
    "The memory of the current device."};

}  // namespace

void add_memory_classes(Interpreter& vm, Module& cuda) {
  Type* type = kept_type(vm, "_MemoryPool", [&] {
    return vm.make_type<MemoryPool>({.name = "MemoryPool",
                                     .module = "cupy.cuda.memory",
                                     .doc = "The memory of the current device.",
                                     .methods = kMethods,
                                     .constructor = &kConstructor});
  });
  cuda.set(vm, "MemoryPool", Value(static_cast<Object*>(type)));
  Ref<Module> memory = vm.make_module("cupy.cuda.memory");
  memory->set(vm, "OutOfMemoryError", Value(static_cast<Object*>(arrays(vm).out_of_memory_error)));
  memory->set(vm, "MemoryPool", Value(static_cast<Object*>(type)));
  cuda.set(vm, "memory", memory);
}

}  // namespace gpy::lib
