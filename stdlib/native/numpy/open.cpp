#include "stdlib/native/numpy/open.h"

#include "runtime/core/environment.h"
#include "src/array/array_classes.h"
#include "src/classes/for_classes.h"
#include "src/kernel/kernel_objects.h"
#include "src/state.h"
#include "stdlib/install.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/images/open.h"
#include "stdlib/native/numpy/array_memory.h"
#include "stdlib/native/numpy/class_calls.h"
#include "stdlib/native/numpy/function_protocol.h"
#include "stdlib/native/numpy/library.h"
#include "stdlib/native/numpy/names.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/numpy/ufunc_classes.h"
#include "stdlib/native/scipy/open.h"

namespace gpy::lib {

namespace {

constexpr Family (*kFamilies[])() = {
    creation_family,    range_family,      like_family,        shape_family,        join_family,
    rearrange_family,   conversion_family, elementwise_family, reduction_family,    scan_family,
    sorting_family,     selection_family,  product_family,     core_product_family, einsum_family,
    signal_family,      comparison_family, dtype_family,       print_family,        file_family,
    error_state_family, insertion_family,  memory_family,      npy_family,          raw_file_family,
};

void add_methods(Type* type) {
  for (auto family : kFamilies) {
    if (!family().methods.empty()) type->methods.push_back(family().methods);
  }
}

Family own_family(const Namespace& names) {
  if (names.is_numpy()) return numpy_only_family();
  return names.is_cupy() ? cupy_only_family() : gp_only_family();
}

template <const Namespace& kNames> Value open_module(Interpreter& vm) {
  return open_array_module(vm, kNames);
}
template <const Namespace& kNames, Value (*open)(Interpreter&, const Namespace&)>
Value open_part(Interpreter& vm) {
  return open(vm, kNames);
}

// Parts whose every name is written in gpy (stdlib/numpy/PART).
constexpr std::string_view kLibraryParts[] = {
    "polynomial",
    "polynomial.polynomial",
    "polynomial.chebyshev",
    "polynomial.legendre",
    "polynomial.laguerre",
    "polynomial.hermite",
    "polynomial.hermite_e",
    "polynomial.polyutils",
    "lib",
    "lib.stride_tricks",
    "lib.array_utils",
    "lib.scimath",
    "lib.format",
    "lib.mixins",
    "strings",
    "char",
    "rec",
    "lib.recfunctions",
};

// Such parts of numpy alone.
Value open_masked_arrays(Interpreter& vm) { return make_library_part(vm, kNumpy, "ma", {}); }
Value open_matrices(Interpreter& vm) { return make_library_part(vm, kNumpy, "matrixlib", {}); }

template <const Namespace& kNames, size_t kPart> Value open_library_part(Interpreter& vm) {
  return make_library_part(vm, kNames, kLibraryParts[kPart], {});
}
template <const Namespace& kNames, size_t... kParts>
void register_library_parts(Interpreter& vm, std::index_sequence<kParts...>) {
  (vm.register_module(fmt::format("{}.{}", kNames.name, kLibraryParts[kParts]),
                      open_library_part<kNames, kParts>),
   ...);
}

// One module under two names.
template <const Namespace& kNames> Value open_emath(Interpreter& vm) {
  return vm.import_module(fmt::format("{}.lib.scimath", kNames.name));
}

template <const Namespace& kNames> void register_namespace(Interpreter& vm) {
  const std::string name = kNames.name;
  vm.register_module(name, open_module<kNames>);
  vm.register_module(name + ".linalg", open_part<kNames, open_linalg>);
  vm.register_module(name + ".fft", open_part<kNames, open_fft>);
  vm.register_module(name + ".testing", open_part<kNames, open_testing>);
  vm.register_module(name + ".exceptions", open_part<kNames, open_exceptions>);
  vm.register_module(name + ".dtypes", open_part<kNames, open_dtypes>);
  vm.register_module(name + ".emath", open_emath<kNames>);
  register_library_parts<kNames>(vm, std::make_index_sequence<std::size(kLibraryParts)>());
}

Value find_gp(Interpreter& vm) { return vm.import_module("gpy"); }

}  // namespace

Ref<Module> make_part(Interpreter& vm, const Namespace& names, std::string_view part,
                      std::span<const Native> rows) {
  return vm.make_module(fmt::format("{}.{}", names.name, part), rows, names.context());
}

// "linalg" of "numpy.linalg".
static std::string_view part_of(const Module& module) {
  return std::string_view(module.name).substr(module.name.find('.') + 1);
}

// "chebyshev" of "polynomial.chebyshev" for the part "polynomial"; empty for what is not below it.
static std::string_view name_below(std::string_view part, std::string_view whole) {
  const bool is_below =
      whole.size() > part.size() && whole.starts_with(part) && whole[part.size()] == '.';
  return is_below ? whole.substr(part.size() + 1) : std::string_view();
}

// The public names of a part: `__all__`.
static Value public_names(Interpreter& vm, const Module& module) {
  std::vector<Str*> names;
  for (std::span<const Native> rows : module.rows) {
    for (const Native& row : rows) names.push_back(vm.intern(row.name));
  }
  list_library_names(vm, part_of(module), names);
  std::vector<Value> found;
  for (Str* name : names) found.push_back(Value(static_cast<Object*>(name)));
  return vm.list(std::move(found));
}

static Value find_in_part(Interpreter& vm, Module& module, Str* name) {
  if (name->view() == "__all__") return public_names(vm, module);
  const auto& names = *static_cast<const Namespace*>(module.context);
  for (std::string_view whole : kLibraryParts) {
    if (name_below(part_of(module), whole) == name->view()) {
      return vm.import_module(fmt::format("{}.{}", names.name, whole));
    }
  }
  return find_in_library(vm, names, part_of(module), name->view());
}

static void list_part(Interpreter& vm, Module& module, std::vector<Str*>& names) {
  list_library_names(vm, part_of(module), names);
  for (std::string_view whole : kLibraryParts) {
    const std::string_view name = name_below(part_of(module), whole);
    if (!name.empty()) names.push_back(vm.intern(name));
  }
}

Ref<Module> make_library_part(Interpreter& vm, const Namespace& names, std::string_view part,
                              std::span<const Native> rows) {
  Ref<Module> module = make_part(vm, names, part, rows);
  module->missing = find_in_part;
  module->list_missing = list_part;
  return module;
}

Value open_array_module(Interpreter& vm, const Namespace& names) {
  Ref<Module> module = vm.make_module(names.name, own_family(names).functions, names.context());
  for (auto family : kFamilies) {
    if (!family().functions.empty()) module->rows.push_back(family().functions);
  }
  add_core_products(vm, *module, names);
  if (!names.is_numpy()) add_kernel_names(vm, *module);
  module->missing = find_array_name;
  module->list_missing = list_array_names;
  return module;
}

void register_array_modules(Interpreter& vm) {
  register_namespace<kNumpy>(vm);
  register_namespace<kCupy>(vm);
  register_namespace<kGp>(vm);
  vm.register_module("numpy.ma", open_masked_arrays);
  vm.register_module("numpy.matrixlib", open_matrices);
  vm.register_module("numpy.random", open_numpy_random);
  vm.register_module("cupy.random", open_part<kCupy, open_device_random>);
  vm.register_module("gpy.random", open_part<kGp, open_device_random>);
  register_cupy_modules(vm);
  register_scipy_modules(vm);
  register_canvas_module(vm);
}

void attach_runtime(Interpreter& vm, std::shared_ptr<rt::Runtime> runtime) {
  install_arrays(vm, std::move(runtime));
  install_kernels(vm);
  Arrays& state = arrays(vm);
  if (rt::environment_variable("GPY_LAZY") == "0") state.lazy = false;
  if (rt::environment_variable("GPY_CHECK") == "1") state.kernel_checks = {true, true};
  for (Type* type : {state.numpy_array, state.cupy_array, state.gp_array, state.generic}) {
    add_methods(type);
    if (type != state.generic) type->getters.push_back(memory_getters());
  }
  state.numpy_array->getters.push_back(host_memory_getters());
  state.other_kinds = other_kinds;
  for (Type* type : {state.numpy_array, state.cupy_array, state.gp_array}) {
    type->methods.push_back(class_protocol_rows());
    type->methods.push_back(function_protocol_rows());
    set_for_classes(*type, {slots_for_array_classes(type->slots), adopt_array});
  }
  vm.state().class_calls = {call_for_classes, call_function_for_classes};
  register_array_modules(vm);
  vm.builtins->set(vm.intern("gp"), find_gp(vm));
}

}  // namespace gpy::lib
