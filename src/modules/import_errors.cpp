// Errors for modules and names that are not there, with advice on what is there instead.
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/io/folder.h"
#include "src/diagnostics/left_out.h"
#include "src/diagnostics/numpy_names.h"
#include "src/modules/import.h"
#include "src/interpreter.h"
#include "src/modules/standard_modules.h"
#include "src/state.h"
#include "src/text/suggest.h"

namespace gpy {

namespace fs = std::filesystem;

// Names that start with "_" are private to the library.
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
  constexpr size_t kEnough = 1000;  // of a folder
  std::vector<std::string> names;
  for (const fs::path& folder : import_folders(vm)) {
    const std::string path = folder.empty() ? "." : folder.string();
    for (const fs::path file : rt::names_in_folder(path, kEnough)) {
      const fs::path extension = file.extension();
      if (extension == ".gpy" || extension == ".py") names.push_back(name_of(file.stem()));
    }
  }
  return names;
}

static std::string suggest_module(std::string_view name, const std::vector<std::string>& known) {
  return did_you_mean(nearest_word(name, {known.begin(), known.end()}));
}

std::vector<std::string> registered_parts(Interpreter& vm, std::string_view package) {
  std::vector<std::string> parts;
  for (const std::string& name : library_modules(vm, false)) {
    const bool is_part = name.starts_with(package) && name[package.size()] == '.' &&
                         name.find('.', package.size() + 1) == name.npos;
    if (is_part && name[package.size() + 1] != '_') parts.push_back(name);
  }
  return parts;
}

// A package of the library that holds modules alone, as scipy does.
static bool holds_parts_alone(Interpreter& vm, Module& module) {
  return module.rows.empty() && !module.list_missing && !registered_parts(vm, module.name).empty();
}

static std::string not_part_text(Interpreter& vm, std::string_view package, std::string_view name,
                                 bool with_parts) {
  std::string text = fmt::format("{}.{} is not part of gpy", package, name);
  if (!with_parts) return text;
  return fmt::format("{}; in {} there are {}", text, package,
                     fmt::join(registered_parts(vm, package), ", "));
}

std::string missing_part_text(Interpreter& vm, const Value& object, std::string_view name) {
  Module* module = object.try_as<Module>();
  if (!module || !holds_parts_alone(vm, *module)) return "";
  return not_part_text(vm, module->name, name, true);
}

// Of the library's, but none of Python's own.
static bool is_array_module(Interpreter& vm, const Module& module) {
  const std::string_view name = module.name;
  return !is_standard_module(name.substr(0, name.find('.'))) &&
         vm.state().loaders.contains(module.name);
}

// What follows on "cannot import name 'x' from 'module'".
static std::string whence_text(Interpreter& vm, Module* source, const Value* file,
                               std::string_view name) {
  if (file) return fmt::format(" ({})", vm.to_str(*file));
  if (!source || !is_array_module(vm, *source)) return " (unknown location)";
  return ": " + not_part_text(vm, source->name, name, holds_parts_alone(vm, *source));
}

static std::string folders_text(Interpreter& vm) {
  std::vector<std::string> texts;
  for (const fs::path& folder : import_folders(vm)) {
    texts.push_back(folder.empty() ? "the current folder" : fmt::format("'{}'", name_of(folder)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// Suggests the module that a script meant, or else those that it may import instead.
static void advise_part(Interpreter& vm, Exception& error, std::string_view name) {
  const std::string_view package = name.substr(0, name.rfind('.'));
  const std::vector<std::string> parts = registered_parts(vm, package);
  const bool left_out = package == "numpy" && is_missing_of_numpy(name.substr(package.size() + 1));
  if (!left_out) error.suggestion = suggest_module(name, parts);
  if (parts.empty() || !error.suggestion.empty()) return;
  error.detail = not_part_text(vm, package, name.substr(package.size() + 1), true);
}

static void advise_module(Interpreter& vm, Exception& error, std::string_view name) {
  std::vector<std::string> library = library_modules(vm, true), known = script_modules(vm);
  const bool is_standard = is_standard_module(name);
  known.insert(known.end(), library.begin(), library.end());
  if (!is_standard) error.suggestion = suggest_module(name, known);
  if (!error.suggestion.empty()) return;
  const std::string folders = folders_text(vm);
  error.detail = is_standard       ? fmt::format("gpy has no module {} of Python's", name)
                 : folders.empty() ? fmt::format("gpy has no module {}", name)
                                   : fmt::format("there is no such file in {}", folders);
  error.detail += fmt::format("; the modules of gpy are {}", fmt::join(library, ", "));
}

void raise_module_not_found(Interpreter& vm, std::string_view name, std::string_view because) {
  Ref<Exception> error = vm.make_exception(vm.types.module_not_found_error,
                                           fmt::format("No module named '{}'{}", name, because));
  vm.set_attribute(error, vm.state().names.name, vm.str(name));
  vm.set_attribute(error, vm.state().names.path, Value::none());
  if (name.find('.') == name.npos) {
    advise_module(vm, *error, name);
  } else {
    advise_part(vm, *error, name);
  }
  vm.raise(error);
}

void raise_cannot_import(Interpreter& vm, const Value& module, Str* name) {
  auto& names = vm.state().names;
  auto* source = module.try_as<Module>();
  const std::string whole = source ? source->name : "<unknown module name>";
  Value* file = source ? source->names->find(names.__file__) : nullptr;
  const bool early = source && is_initialising(*source);
  Ref<Exception> error = vm.make_exception(
      vm.types.import_error, fmt::format("cannot import name '{}' from {}'{}'{}{}", name->view(),
                                         early ? "partially initialized module " : "", whole,
                                         early ? " (most likely due to a circular import)" : "",
                                         whence_text(vm, source, file, name->view())));
  vm.set_attribute(error, names.name, source ? vm.str(whole) : Value::none());
  vm.set_attribute(error, names.path, file ? *file : Value::none());
  if (source) {
    std::vector<std::string_view> known;
    for (Str* each : source->all_names(vm)) known.push_back(each->view());
    error->hint = left_out_attribute(module, name->view());
    if (error->hint.empty()) {
      error->suggestion = did_you_mean(nearest_member(name->view(), known));
    }
  }
  vm.raise(error);
}

}  // namespace gpy
