#include "src/modules/import.h"

#include <optional>

#include "runtime/io/file.h"
#include "src/interpreter.h"
#include "src/modules/standard_modules.h"
#include "src/state.h"

namespace gpy {

namespace fs = std::filesystem;

// --- a module's text -----------------------------------------------------------------------------

static constexpr uint16_t kInitialising = 1;

bool is_initialising(const Module& module) { return module.flags & kInitialising; }

// A module is in sys.modules while it runs, for cyclic imports; if it fails it is removed.
static Value run_module(Interpreter& vm, Ref<Module> module, std::string_view text,
                        std::string_view file) {
  Str* key = vm.intern(module->name);
  vm.modules->set(key, module);
  module->flags |= kInitialising;
  try {
    vm.run_source(text, file, *module);
  } catch (...) {
    module->flags &= static_cast<uint16_t>(~kInitialising);
    vm.modules->erase(key);
    throw;
  }
  module->flags &= static_cast<uint16_t>(~kInitialising);
  Value* now = vm.modules->find(key);  // it may have put something else there
  return now ? *now : Value(module);
}

static void set_package(Interpreter& vm, Module& module, bool is_package, const Value& path) {
  auto& names = vm.state().names;
  if (is_package) module.names->set(names.__path__, path);
  std::string_view name = module.name;
  size_t dot = name.rfind('.');
  std::string_view parent = dot == name.npos ? "" : name.substr(0, dot);
  module.names->set(names.__package__, vm.str(is_package ? name : parent));
}

Value import_text(Interpreter& vm, const LibraryText& library) {
  Ref<Module> module = vm.make_module(library.name);
  set_package(vm, *module, library.is_package, vm.list());
  return run_module(vm, module, library.text, library.file);
}

// --- files ---------------------------------------------------------------------------------------

// The last part of a dotted name, if it can name something in a folder: the folder itself and paths
// that lead elsewhere are no modules.
static std::optional<std::string_view> name_in_folder(std::string_view name) {
  std::string_view last = name.substr(name.rfind('.') + 1);
  if (last.empty() || last.find('/') != last.npos) return std::nullopt;
  return last;
}

static std::optional<ModuleFile> find_in(const fs::path& folder, std::string_view name) {
  std::error_code ignored;
  const std::string on_disk = unescape_bytes(name);
  for (const char* extension : {".gpy", ".py"}) {
    fs::path init = folder / on_disk / (std::string("__init__") + extension);
    if (fs::is_regular_file(init, ignored)) return ModuleFile{init, folder / on_disk};
    fs::path file = folder / (on_disk + extension);
    if (fs::is_regular_file(file, ignored)) return ModuleFile{file, {}};
  }
  return std::nullopt;
}

std::string name_of(const fs::path& path) { return escape_bytes(path.string()); }

std::string read_module_text(const fs::path& file) { return rt::read_file(file.string()); }

static Value run_file(Interpreter& vm, std::string_view name, const ModuleFile& found) {
  Ref<Module> module = vm.make_module(name);
  const std::string file = name_of(found.file);
  module->names->set(vm.state().names.__file__, vm.str(file));
  const bool is_package = !found.package.empty();
  set_package(vm, *module, is_package, vm.list({vm.str(name_of(found.package))}));
  return run_module(vm, module, read_module_text(found.file), file);
}

// A folder without __init__ is a package, too.
static Value make_folder_module(Interpreter& vm, std::string_view name, const fs::path& folder) {
  Ref<Module> module = vm.make_module(name);
  set_package(vm, *module, true, vm.list({vm.str(name_of(folder))}));
  vm.modules->set(vm.intern(name), module);
  return module;
}

// --- one part of a dotted name -------------------------------------------------------------------

std::vector<fs::path> listed_folders(Interpreter& vm, const Value& list) {
  std::vector<fs::path> folders;
  vm.for_each(list, [&](const Value& each) {
    if (each.is<Str>()) folders.emplace_back(unescape_bytes(each.as<Str>()->view()));
  });
  return folders;
}

Module* sys_module(Interpreter& vm) {
  Value* sys = vm.modules->find(vm.intern("sys"));
  return sys ? sys->try_as<Module>() : nullptr;
}

std::vector<fs::path> import_folders(Interpreter& vm) {
  Module* sys = sys_module(vm);
  Value* path = sys ? sys->names->find(vm.state().names.path) : nullptr;
  if (path) return listed_folders(vm, *path);
  return {vm.search_path.begin(), vm.search_path.end()};
}

static Value path_of(Interpreter& vm, const Value& package) {
  return vm.try_get_attribute(package, vm.state().names.__path__);
}

std::optional<ModuleFile> find_module_file(std::string_view name,
                                           const std::vector<fs::path>& folders) {
  const auto last = name_in_folder(name);
  if (!last) return std::nullopt;
  for (const fs::path& folder : folders) {
    if (auto found = find_in(folder, *last)) return found;
  }
  return std::nullopt;
}

static Value load_file(Interpreter& vm, std::string_view name, std::vector<fs::path> folders) {
  auto found = find_module_file(name, folders);
  return found ? run_file(vm, name, *found) : Value();
}

static Value load_folder(Interpreter& vm, std::string_view name, std::vector<fs::path> folders) {
  const auto last = name_in_folder(name);
  if (!last) return Value();
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    const fs::path own = folder / unescape_bytes(*last);
    if (fs::is_directory(own, ignored)) return make_folder_module(vm, name, own);
  }
  return Value();
}

static Value load_registered(Interpreter& vm, std::string_view name) {
  auto loader = vm.state().loaders.find(std::string(name));
  if (loader == vm.state().loaders.end()) return Value();
  Value module = loader->second(vm);
  vm.modules->set(vm.intern(name), module);
  return module;
}

static Value load(Interpreter& vm, std::string_view name, const Value& parent) {
  std::vector<fs::path> folders;
  if (parent.is_undefined()) {
    folders = import_folders(vm);
  } else {
    Value path = path_of(vm, parent);
    if (path.is_defined()) folders = listed_folders(vm, path);
  }
  const bool files_first = parent.is_undefined() && may_be_shadowed(name);
  Value module = files_first ? load_file(vm, name, folders) : load_registered(vm, name);
  if (module.is_undefined()) {
    module = files_first ? load_registered(vm, name) : load_file(vm, name, folders);
  }
  if (module.is_undefined()) module = load_folder(vm, name, folders);
  if (module.is_defined()) return module;
  std::string_view outer = name.substr(0, std::min(name.rfind('.'), name.size()));
  const bool in_package = parent.is_undefined() || path_of(vm, parent).is_defined() ||
                          !registered_parts(vm, outer).empty();
  raise_module_not_found(vm, name, in_package ? "" : fmt::format("; '{}' is not a package", outer));
}

// `parent`, undefined for a whole name, is imported already.
static Value import_part(Interpreter& vm, std::string_view name, const Value& parent) {
  if (Value* known = vm.modules->find(vm.intern(name))) {
    if (!known->is_none()) return *known;
    Ref<Exception> error =
        vm.make_exception(vm.types.module_not_found_error,
                          fmt::format("import of {} halted; None in sys.modules", name));
    vm.set_attribute(error, vm.state().names.name, vm.str(name));
    vm.raise(error);
  }
  Value module = load(vm, name, parent);
  if (parent.is_defined()) {
    vm.set_attribute(parent, vm.intern(name.substr(name.rfind('.') + 1)), module);
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

static bool says(Interpreter& vm, const Value& exception, std::string_view missing) {
  Value name = vm.try_get_attribute(exception, vm.state().names.name);
  return name.is<Str>() && name.as<Str>()->view() == missing;
}

// Undefined when there is no such submodule.
static Value submodule(Interpreter& vm, const Value& module, Str* name) {
  Value parent = vm.try_get_attribute(module, vm.state().names.__name__);
  if (!parent.is<Str>()) return Value();
  std::string full = fmt::format("{}.{}", parent.as<Str>()->view(), name->view());
  if (Value* known = vm.modules->find(vm.intern(full))) return *known;
  if (path_of(vm, module).is_undefined() && !vm.state().loaders.contains(full)) return Value();
  try {
    return vm.import_module(full);
  } catch (Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.module_not_found_error)) throw;
    if (!says(vm, raised.exception, full)) throw;
    return Value();
  }
}

Value imported_attribute(Interpreter& vm, const Value& module, Str* name) {
  Value found = vm.try_get_attribute(module, name);
  if (found.is_undefined()) found = submodule(vm, module, name);
  if (found.is_undefined()) raise_cannot_import(vm, module, name);
  return found;
}

void import_submodules(Interpreter& vm, const Value& module, const Value& names) {
  const bool is_folder = path_of(vm, module).is_defined();
  vm.for_each(names, [&](const Value& name) {
    if (!name.is<Str>()) {
      if (!is_folder) return;
      vm.raise_type_error("Item in ``from list'' must be str, not {}", vm.type_name(name));
    }
    Str* interned = vm.intern(name.as<Str>()->view());
    if (vm.try_get_attribute(module, interned).is_undefined()) submodule(vm, module, interned);
  });
}

static void copy_name(Interpreter& vm, const Value& module, Str* name, Dict* globals) {
  Value found = vm.try_get_attribute(module, name);
  if (found.is_undefined()) found = submodule(vm, module, name);
  if (found.is_undefined()) vm.raise_attribute_error(module, name);
  globals->set(name, found);
}

void import_all(Interpreter& vm, const Value& module, Dict* globals) {
  Value all = vm.try_get_attribute(module, vm.state().names.__all__);
  auto* source = module.try_as<Module>();
  if (all.is_defined()) {
    vm.for_each(all, [&](const Value& name) {
      if (!name.is<Str>()) {
        vm.raise_type_error("Item in {}.__all__ must be str, not {}", source ? source->name : "?",
                            vm.type_name(name));
      }
      copy_name(vm, module, vm.intern(name.as<Str>()->view()), globals);
    });
    return;
  }
  std::vector<Str*> names = source ? source->all_names(vm) : vm.attribute_names(module);
  for (Str* name : names) {
    if (!name->view().starts_with("_")) copy_name(vm, module, name, globals);
  }
}

}  // namespace gpy
