// What is said of modules and names that are not there, and of what is there instead.
#include <fmt/ranges.h>

#include <algorithm>

#include "src/import.h"
#include "src/interpreter.h"
#include "src/standard_modules.h"
#include "src/state.h"
#include "src/suggest.h"

namespace gpy {

namespace fs = std::filesystem;

// Names that start with "_" are the library's own affair.
static std::vector<std::string> library_modules(Interpreter& vm, bool whole_only) {
  std::vector<std::string> names;
  for (const auto& [name, loader] : vm.state().loaders) {
    if (name.starts_with("_") || (whole_only && name.find('.') != name.npos)) continue;
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The modules that lie along sys.path.
static std::vector<std::string> script_modules(Interpreter& vm) {
  constexpr size_t kEnough = 1000;
  std::vector<std::string> names;
  for (const fs::path& folder : import_folders(vm)) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
      fs::path extension = entry.path().extension();
      if (extension == ".gpy" || extension == ".py") names.push_back(entry.path().stem());
      if (names.size() > kEnough) return names;
    }
  }
  return names;
}

static std::string nearest_module(Interpreter& vm, std::string_view name) {
  std::vector<std::string> names = library_modules(vm, false), files = script_modules(vm);
  names.insert(names.end(), files.begin(), files.end());
  return nearest_word(name, {names.begin(), names.end()});
}

static std::string folders_text(Interpreter& vm) {
  std::vector<std::string> texts;
  for (const fs::path& folder : import_folders(vm)) {
    texts.push_back(folder.empty() ? "the current folder" : fmt::format("'{}'", folder.string()));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// What a script meant, and what it may import instead.
static std::string module_hint(Interpreter& vm, std::string_view name) {
  const bool whole = name.find('.') == name.npos;
  std::string library =
      fmt::format("The modules of gpy are {}", fmt::join(library_modules(vm, true), ", "));
  if (is_standard_module(name.substr(0, name.find('.')))) {
    return fmt::format(". gpy has no module '{}' of Python's. {}", name, whole ? library : "");
  }
  std::string nearest = nearest_module(vm, name);
  std::string hint = nearest.empty() ? "" : fmt::format(" Did you mean: '{}'?", nearest);
  if (!whole) return hint.empty() ? "" : "." + hint;
  std::string folders = folders_text(vm);
  if (!folders.empty()) hint += fmt::format(" No such file in {}.", folders);
  return fmt::format(".{} {}", hint, library);
}

void raise_module_not_found(Interpreter& vm, std::string_view name, std::string_view because) {
  Ref<Exception> error = vm.make_exception(vm.types.module_not_found_error,
                                           fmt::format("No module named '{}'{}", name, because));
  vm.set_attribute(error, vm.state().names.name, vm.str(name));
  vm.set_attribute(error, vm.state().names.path, Value::none());
  error->hint = module_hint(vm, name);
  vm.raise(error);
}

void raise_cannot_import(Interpreter& vm, const Value& module, Str* name) {
  auto& names = vm.state().names;
  auto* source = module.try_as<Module>();
  Value* file = source ? source->names->find(names.__file__) : nullptr;
  std::string where = file ? vm.to_str(*file) : "unknown location";
  const bool early = source && is_initialising(*source);
  Ref<Exception> error = vm.make_exception(
      vm.types.import_error,
      fmt::format("cannot import name '{}' from {}'{}' ({}{})", name->view(),
                  early ? "partially initialized module " : "", source ? source->name : "?",
                  early ? "most likely due to a circular import) (" : "", where));
  vm.set_attribute(error, names.name, vm.str(source ? source->name : "?"));
  vm.set_attribute(error, names.path, file ? *file : Value::none());
  if (source) {
    std::vector<std::string_view> known;
    for (Str* each : source->all_names(vm)) known.push_back(each->view());
    std::string nearest = nearest_word(name->view(), known);
    if (!nearest.empty()) error->hint = fmt::format(". Did you mean: '{}'?", nearest);
  }
  vm.raise(error);
}

}  // namespace gpy
