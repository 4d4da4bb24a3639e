#include "src/import.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "src/interpreter.h"
#include "src/state.h"
#include "src/suggest.h"

namespace gpy {

namespace fs = std::filesystem;

namespace {

struct Found {
  fs::path file;
  fs::path package;  // its folder, if it is a package
};

}  // namespace

static std::optional<Found> find_in(const fs::path& folder, std::string_view name) {
  std::error_code ignored;
  for (const char* extension : {".gpy", ".py"}) {
    fs::path init = folder / name / (std::string("__init__") + extension);
    if (fs::is_regular_file(init, ignored)) return Found{init, folder / name};
    fs::path file = folder / (std::string(name) + extension);
    if (fs::is_regular_file(file, ignored)) return Found{file, {}};
  }
  return std::nullopt;
}

static std::string read_source(Interpreter& vm, const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) vm.raise_import_error("cannot read '{}'", file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Runs a file as the module `name`. While it runs it is in sys.modules, so a circle finds it there.
static Value run_file(Interpreter& vm, std::string_view name, const Found& found) {
  auto& names = vm.state().names;
  Ref<Module> module = vm.make_module(name);
  module->names->set(names.__file__, vm.str(found.file.string()));
  bool is_package = !found.package.empty();
  if (is_package) {
    module->names->set(names.__path__, vm.list({vm.str(found.package.string())}));
  }
  std::string_view package = is_package ? name : name.substr(0, name.rfind('.') + 1);
  if (!is_package && !package.empty()) package.remove_suffix(1);
  module->names->set(names.__package__, vm.str(package));
  Str* key = vm.intern(name);
  vm.modules->set(key, module);
  try {
    vm.run_source(read_source(vm, found.file), found.file.string(), *module);
  } catch (...) {
    vm.modules->erase(key);
    throw;
  }
  return module;
}

// --- not found -----------------------------------------------------------------------------------

// What a script meant, and what it may import besides its own files.
static std::string module_hint(Interpreter& vm, std::string_view name) {
  std::vector<std::string_view> known, whole;
  for (const auto& [each, loader] : vm.state().loaders) {
    known.push_back(each);
    if (each.find('.') == each.npos) whole.push_back(each);
  }
  std::string hint = ".";
  const std::string nearest = nearest_word(name, known);
  if (!nearest.empty()) hint += fmt::format(" Did you mean: '{}'?", nearest);
  if (name.find('.') != name.npos || whole.empty()) return nearest.empty() ? "" : hint;
  std::sort(whole.begin(), whole.end());
  return hint + fmt::format(" The modules of gpy are {}", fmt::join(whole, ", "));
}

[[noreturn]] static void raise_not_found(Interpreter& vm, std::string_view name,
                                         std::string_view because) {
  Ref<Exception> error = vm.make_exception(vm.types.module_not_found_error,
                                           fmt::format("No module named '{}'{}", name, because));
  vm.set_attribute(error, vm.state().names.name, vm.str(name));
  error->hint = module_hint(vm, name);
  vm.raise(error);
}

static std::vector<fs::path> folders_of(Interpreter& vm, const Value& parent) {
  std::vector<fs::path> folders;
  if (parent.is_undefined()) {
    folders.assign(vm.search_path.begin(), vm.search_path.end());
    return folders;
  }
  Value* path = parent.as<Module>()->names->find(vm.state().names.__path__);
  if (!path) return folders;
  vm.for_each(*path, [&](const Value& each) { folders.emplace_back(vm.to_text(each, "path")); });
  return folders;
}

static Value make_folder_module(Interpreter& vm, std::string_view name, const fs::path& folder) {
  Ref<Module> module = vm.make_module(name);
  module->names->set(vm.state().names.__path__, vm.list({vm.str(folder.string())}));
  module->names->set(vm.state().names.__package__, vm.str(name));
  vm.modules->set(vm.intern(name), module);
  return module;
}

static Value load(Interpreter& vm, std::string_view name, const Value& parent) {
  auto loader = vm.state().loaders.find(std::string(name));
  if (loader != vm.state().loaders.end()) {
    Value module = loader->second(vm);
    vm.modules->set(vm.intern(name), module);
    return module;
  }
  std::string_view last = name.substr(name.rfind('.') + 1);
  for (const fs::path& folder : folders_of(vm, parent)) {
    if (auto found = find_in(folder, last)) return run_file(vm, name, *found);
  }
  for (const fs::path& folder : folders_of(vm, parent)) {
    // A folder without __init__ holds modules all the same.
    std::error_code ignored;
    if (fs::is_directory(folder / last, ignored))
      return make_folder_module(vm, name, folder / last);
  }
  if (parent.is_undefined()) raise_not_found(vm, name, "");
  bool is_package = parent.as<Module>()->names->find(vm.state().names.__path__) != nullptr;
  std::string because =
      is_package ? "" : fmt::format("; '{}' is not a package", parent.as<Module>()->name);
  raise_not_found(vm, name, because);
}

// One more part of a dotted name, whose parent is imported.
static Value import_part(Interpreter& vm, std::string_view name, const Value& parent) {
  if (Value* known = vm.modules->find(vm.intern(name))) return *known;
  Value module = load(vm, name, parent);
  if (parent.is_defined()) {
    std::string_view last = name.substr(name.rfind('.') + 1);
    parent.as<Module>()->names->set(vm.intern(last), module);
  }
  return module;
}

Value Interpreter::import_module(std::string_view name) {
  check_stack();
  Value module;
  for (size_t end = name.find('.');; end = name.find('.', end + 1)) {
    module = import_part(*this, name.substr(0, end), module);
    if (end == std::string_view::npos) return module;
  }
}

// --- relative names ------------------------------------------------------------------------------

static std::string package_of(Interpreter& vm, Dict* globals) {
  auto& names = vm.state().names;
  if (Value* package = globals->find(names.__package__); package && package->is<Str>()) {
    return vm.to_str(*package);
  }
  Value* name = globals->find(names.__name__);
  if (!name || !name->is<Str>()) return "";
  std::string text = vm.to_str(*name);
  if (globals->find(names.__path__)) return text;
  size_t dot = text.rfind('.');
  return dot == std::string::npos ? "" : text.substr(0, dot);
}

static std::string absolute_name(Interpreter& vm, std::string_view name, int level, Dict* globals) {
  std::string package = package_of(vm, globals);
  if (package.empty()) {
    vm.raise_import_error("attempted relative import with no known parent package");
  }
  for (int up = 1; up < level; ++up) {
    size_t dot = package.rfind('.');
    if (dot == std::string::npos) {
      vm.raise_import_error("attempted relative import beyond top-level package");
    }
    package.resize(dot);
  }
  return name.empty() ? package : package + "." + std::string(name);
}

Value import_from_script(Interpreter& vm, std::string_view name, int level, Dict* globals) {
  if (level == 0) return vm.import_module(name);
  return vm.import_module(absolute_name(vm, name, level, globals));
}

// --- from module import ... ----------------------------------------------------------------------

[[noreturn]] static void raise_cannot_import(Interpreter& vm, const Value& module, Str* name) {
  auto& names = vm.state().names;
  auto* source = module.try_as<Module>();
  Value* file = source ? source->names->find(names.__file__) : nullptr;
  std::string where = file ? vm.to_str(*file) : "unknown location";
  Ref<Exception> error = vm.make_exception(
      vm.types.import_error, fmt::format("cannot import name '{}' from '{}' ({})", name->view(),
                                         source ? source->name : "?", where));
  if (source) {
    std::vector<std::string_view> known;
    for (Str* each : source->all_names(vm)) known.push_back(each->view());
    std::string nearest = nearest_word(name->view(), known);
    if (!nearest.empty()) error->hint = fmt::format(". Did you mean: '{}'?", nearest);
  }
  vm.raise(error);
}

Value imported_attribute(Interpreter& vm, const Value& module, Str* name) {
  Value found = vm.try_get_attribute(module, name);
  if (found.is_defined()) return found;
  if (const auto* parent = module.try_as<Module>()) {
    std::string full = parent->name + "." + std::string(name->view());
    bool may_be_module = vm.state().loaders.contains(full) ||
                         parent->names->find(vm.state().names.__path__) != nullptr;
    if (Value* known = vm.modules->find(vm.intern(full))) return *known;
    if (may_be_module) {
      try {
        return vm.import_module(full);
      } catch (Raised& raised) {
        if (!vm.is_instance(raised.exception, vm.types.module_not_found_error)) throw;
      }
    }
  }
  raise_cannot_import(vm, module, name);
}

void import_all(Interpreter& vm, const Value& module, Dict* globals) {
  Value all = vm.try_get_attribute(module, vm.state().names.__all__);
  auto copy = [&](Str* name) { globals->set(name, vm.get_attribute(module, name)); };
  if (all.is_defined()) {
    vm.for_each(all, [&](const Value& name) {
      vm.to_text(name, "Item in __all__");
      copy(vm.intern(name.as<Str>()->view()));
    });
    return;
  }
  for (Str* name : module.as<Module>()->all_names(vm)) {
    if (!name->view().starts_with("_")) copy(name);
  }
}

}  // namespace gpy
