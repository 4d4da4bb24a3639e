#include "src/kernel/launch_arguments.h"

#include "src/array/convert.h"

namespace gpy {

// An int, or a sequence of them.
static std::vector<int64_t> to_extents(Interpreter& vm, const Value& value, const char* what) {
  if (vm.has_index(value)) return {vm.to_index(value)};
  if (!vm.is_iterable(value)) {
    vm.raise_type_error("{} takes an int or a tuple of up to three (got {})", what,
                        vm.type_name(value));
  }
  std::vector<int64_t> extents;
  for (const Value& each : vm.collect(value)) extents.push_back(vm.to_index(each));
  return extents;
}

rt::LaunchShape to_launch_shape(Interpreter& vm, const Value& grid, const Value& block) {
  return {rt::make_grid(to_extents(vm, grid, "grid")),
          rt::make_block(to_extents(vm, block, "block"))};
}

void refuse_host_array(Interpreter& vm, const Value& value) {
  const Ndarray* array = as_ndarray(value);
  const bool on_host = array && array->array.rank() > 0 && array->array.space().is_host();
  if (!on_host || !session(vm).device_space().is_device()) return;
  Ref<Exception> error = vm.make_exception(
      vm.types.type_error, fmt::format("Unsupported type {}", vm.repr(Value(vm.type_of(value)))));
  error->hint =
      "a kernel works on the device's arrays: x = gp.asarray(x) makes one of a NumPy "
      "array, and x.get() or gp.asnumpy(x) gives back what the kernel wrote";
  vm.raise(error);
}

}  // namespace gpy
