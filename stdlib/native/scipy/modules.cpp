// The package scipy, and the special functions that are ufuncs of ours.
#include <algorithm>

#include "src/array/namespace.h"
#include "stdlib/native/numpy/library.h"
#include "stdlib/native/numpy/ufunc_object.h"
#include "stdlib/native/scipy/open.h"

namespace gpy::lib {

namespace {

constexpr std::string_view kParts[] = {"fft", "fftpack", "signal", "sparse", "special"};

Value find_part(Interpreter& vm, Module&, Str* name) {
  if (std::ranges::find(kParts, name->view()) == std::end(kParts)) return Value();
  return vm.import_module(fmt::format("scipy.{}", name->view()));
}

Value open_scipy(Interpreter& vm) {
  Ref<Module> package = vm.make_module("scipy");
  package->set(vm, "__version__", vm.str("1.17.0"));  // whose functions these are
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

// The part of the library that holds what "cupyx.scipy.fft" shares with "scipy.fft".
std::string_view shared_part(const Module& module) {
  const std::string_view name = module.name;
  return name.substr(name.find("scipy."));
}

Value find_in_text(Interpreter& vm, Module& module, Str* name) {
  const auto& names = *static_cast<const Namespace*>(module.context);
  Value found = find_in_library(vm, names, shared_part(module), name->view());
  return found.is_undefined() ? find_in_library(vm, names, module.name, name->view()) : found;
}

void list_text(Interpreter& vm, Module& module, std::vector<Str*>& names) {
  list_library_names(vm, shared_part(module), names);
  if (shared_part(module) != module.name) list_library_names(vm, module.name, names);
}

Value open_scipy_special(Interpreter& vm) { return open_special(vm, "scipy.special", kNumpy); }

}  // namespace

Value open_scipy_part(Interpreter& vm, const char* name, const Namespace& names,
                      std::span<const Native> rows) {
  Ref<Module> module = vm.make_module(name, rows, names.context());
  module->missing = find_in_text;
  module->list_missing = list_text;
  return module;
}

Value open_cupyx_special(Interpreter& vm) { return open_special(vm, "cupyx.scipy.special", kCupy); }

constexpr char kFft[] = "scipy.fft", kFftpack[] = "scipy.fftpack";
constexpr char kCupyxFft[] = "cupyx.scipy.fft", kCupyxFftpack[] = "cupyx.scipy.fftpack";
template <const char* kName, const Namespace& kNames> static Value open_text(Interpreter& vm) {
  return open_scipy_part(vm, kName, kNames, {});
}

namespace {

constexpr char kSparse[] = "scipy.sparse", kCupyxSparse[] = "cupyx.scipy.sparse";
constexpr char kSparseLinalg[] = "scipy.sparse.linalg";
constexpr char kCupyxSparseLinalg[] = "cupyx.scipy.sparse.linalg";

Value find_in_sparse(Interpreter& vm, Module& module, Str* name) {
  if (name->view() != "linalg") return find_in_text(vm, module, name);
  return vm.import_module(fmt::format("{}.linalg", module.name));
}

template <const char* kName, const Namespace& kNames> Value open_sparse(Interpreter& vm) {
  Value module = open_text<kName, kNames>(vm);
  module.as<Module>()->missing = find_in_sparse;
  return module;
}

}  // namespace

void register_scipy_modules(Interpreter& vm) {
  vm.register_module("scipy", open_scipy);
  vm.register_module("scipy.signal", open_scipy_signal);
  vm.register_module("scipy.fft", open_text<kFft, kNumpy>);
  vm.register_module("scipy.fftpack", open_text<kFftpack, kNumpy>);
  vm.register_module("cupyx.scipy.fft", open_text<kCupyxFft, kCupy>);
  vm.register_module("cupyx.scipy.fftpack", open_text<kCupyxFftpack, kCupy>);
  vm.register_module(kSparse, open_sparse<kSparse, kNumpy>);
  vm.register_module(kCupyxSparse, open_sparse<kCupyxSparse, kCupy>);
  vm.register_module(kSparseLinalg, open_text<kSparseLinalg, kNumpy>);
  vm.register_module(kCupyxSparseLinalg, open_text<kCupyxSparseLinalg, kCupy>);
  vm.register_module("scipy.special", open_scipy_special);
}

}  // namespace gpy::lib
