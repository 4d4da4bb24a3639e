#include "src/kernel/launch_arguments.h"

#include "src/array/convert.h"
#include "src/kernel/kernel_objects.h"
#include "src/objects/containers.h"

namespace gpy {

// `value`: all that was given for the grid or the block, `extent`: the part that is no int.
[[noreturn]] static void refuse_extent(Interpreter& vm, const char* what, const Value& value,
                                       const Value& extent) {
  const std::string within =
      &value == &extent ? "" : fmt::format(" within the {}", vm.type_name(value));
  vm.raise_type_error("{} takes an int or a tuple of up to three (got {}{})", what,
                      vm.type_name(extent), within);
}

static int64_t to_extent(Interpreter& vm, const char* what, const Value& value,
                         const Value& extent) {
  if (!vm.has_index(extent)) refuse_extent(vm, what, value, extent);
  return vm.to_index(extent);
}

// An int, or a sequence of them.
static std::vector<int64_t> to_extents(Interpreter& vm, const Value& value, const char* what) {
  if (vm.has_index(value)) return {vm.to_index(value)};
  if (value.is<Str>() || !vm.is_iterable(value)) refuse_extent(vm, what, value, value);
  std::vector<int64_t> extents;
  for (const Value& each : vm.collect(value)) extents.push_back(to_extent(vm, what, value, each));
  return extents;
}

// make(extents): make_grid or make_block.
template <class Make>
static rt::Dim3 to_dim3(Interpreter& vm, const Value& value, const char* what, Make make) {
  int64_t few[3];
  Tuple* items = value.try_as<Tuple>();
  if (!items || items->size > std::size(few)) return make(to_extents(vm, value, what));
  for (size_t i = 0; i < items->size; ++i) few[i] = to_extent(vm, what, value, (*items)[i]);
  return make(std::span<const int64_t>(few, items->size));
}

rt::LaunchShape to_launch_shape(Interpreter& vm, const Value& grid, const Value& block) {
  return {to_dim3(vm, grid, "grid", rt::make_grid), to_dim3(vm, block, "block", rt::make_block)};
}

// An argument by its place or its name; null if it is not given.
static const Value* launch_argument(const CallArgs& arguments, size_t place,
                                    std::string_view name) {
  return place < arguments.positional ? &arguments.values[place] : arguments.find_keyword(name);
}

// kernel(x, y, 4): the kernel's own arguments stand where the grid and the block should.
static bool are_kernel_arguments(Interpreter& vm, const Value& grid, const Value& block,
                                 const Value& values) {
  const auto is_array = [](const Value& each) {
    const Ndarray* array = as_ndarray(each);
    return array && array->array.rank() > 0;
  };
  return is_array(grid) || is_array(block) || !vm.is_iterable(values);
}

LaunchArguments to_launch(Interpreter& vm, std::string_view kernel, const CallArgs& arguments,
                          size_t most) {
  refuse_unknown(vm, kernel, arguments, {"grid", "block", "args", "shared_mem", "stream"});
  const Value* grid = launch_argument(arguments, 0, "grid");
  const Value* block = launch_argument(arguments, 1, "block");
  const Value* values = launch_argument(arguments, 2, "args");
  if (!grid || !block || !values || arguments.positional > most ||
      are_kernel_arguments(vm, *grid, *block, *values)) {
    vm.raise_type_error(
        "kernel '{0}' was called without a launch configuration: write {0}[grid, "
        "block](arguments...) or {0}(grid, block, (arguments...))",
        kernel);
  }
  LaunchArguments out{
      to_launch_shape(vm, *grid, *block), {}, {}, launch_argument(arguments, 4, "stream")};
  if (const Value* shared = launch_argument(arguments, 3, "shared_mem"))
    out.shape.shared_bytes = rt::make_shared_bytes(vm.to_index(*shared));
  if (vm.is_exactly(vm.types.tuple, *values)) {
    out.values = values->as<Tuple>()->items();
  } else {
    out.values = out.collected = vm.collect(*values);
  }
  return out;
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
