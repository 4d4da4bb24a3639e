#include "src/modules/main_text.h"

#include "src/modules/import.h"
#include "src/state.h"

namespace gpy {

static bool is_of(Interpreter& vm, const Value& error, std::string_view package) {
  Value name = vm.try_get_attribute(error, vm.state().names.name);
  if (!name.is<Str>()) return false;
  const std::string missing(name.as<Str>()->view());
  return package == missing || package.starts_with(missing + ".");
}

[[noreturn]] static void refuse(std::string_view name, std::string_view kind,
                                std::string_view message) {
  throw NoMainText(fmt::format("Error while finding module specification for '{}' ({}: {})", name,
                               kind, message));
}

// A package that is missing on the way is reported as such; other errors in it pass through.
static Value import_parent(Interpreter& vm, std::string_view parent, std::string_view name) {
  try {
    return vm.import_module(parent);
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.import_error)) throw;
    if (!is_of(vm, raised.exception, parent)) throw;
    refuse(name, vm.type_of(raised.exception)->name, vm.to_str(raised.exception));
  }
}

static std::vector<std::filesystem::path> folders_of(Interpreter& vm, std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return import_folders(vm);
  const std::string_view parent = name.substr(0, dot);
  Value module = import_parent(vm, parent, name);
  Value path = vm.try_get_attribute(module, vm.state().names.__path__);
  if (path.is_defined()) return listed_folders(vm, path);
  refuse(
      name, "ModuleNotFoundError",
      fmt::format("__path__ attribute not found on '{}' while trying to find '{}'", parent, name));
}

[[noreturn]] static void refuse_package(std::string_view package) {
  throw NoMainText(fmt::format(
      "No module named {0}.__main__; '{0}' is a package and cannot be directly executed", package));
}

// The modules that gpy itself brings have no part for a main program.
static MainText library_text(Interpreter& vm, std::string_view name) {
  Value module = vm.import_module(name);
  Dict& names = *module.as<Module>()->names;
  const bool is_package = names.find(vm.state().names.__path__) != nullptr;
  if (is_package || !registered_parts(vm, name).empty()) refuse_package(name);
  if (names.find(vm.state().names.__package__)) return {std::string(name), "", ""};
  throw NoMainText(fmt::format("No code object available for {}", name));
}

MainText find_main_text(Interpreter& vm, std::string_view name) {
  if (name.starts_with('.')) throw NoMainText("Relative module names not supported");
  constexpr std::string_view kMain = ".__main__";
  const size_t dot = name.rfind('.');
  const std::string parent(name.substr(0, dot == name.npos ? 0 : dot));
  auto found = find_module_file(name, folders_of(vm, name));
  if (found && !found->package.empty()) return find_main_text(vm, fmt::format("{}{}", name, kMain));
  if (found) return {name_of(found->file), parent, read_module_text(found->file)};
  if (name.ends_with(kMain)) refuse_package(parent);
  if (vm.state().loaders.contains(std::string(name))) return library_text(vm, name);
  throw NoMainText(fmt::format("No module named {}", name));
}

}  // namespace gpy
