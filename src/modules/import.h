#pragma once
// Modules by name: files NAME.gpy and NAME.py and packages with __init__ along sys.path, and what
// the library registers.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/objects/function.h"

namespace gpy {

// `import name`, or `from ..name import` with a level, out of a module with these globals.
Value import_from_script(Interpreter& vm, std::string_view name, int level, Dict* globals);
// `from module import name`: an attribute, or a submodule. ImportError when neither is there.
Value imported_attribute(Interpreter& vm, const Value& module, Str* name);
// `from module import ...` as far as the names are submodules: others may be missing.
void import_submodules(Interpreter& vm, const Value& module, const Value& names);
// `from module import *`
void import_all(Interpreter& vm, const Value& module, Dict* globals);

// Runs a text of the library as the module `name`: what a registered loader may do.
struct LibraryText {
  const char* name;
  const char* file;  // as errors show it
  std::string_view text;
  bool is_package;
};
Value import_text(Interpreter& vm, const LibraryText& library);

// Null until it is imported, and where a script has put something else in its place.
Module* sys_module(Interpreter& vm);

// Whether a module's own text is still running, so that names of it may be missing.
bool is_initialising(const Module& module);

// --- for the files of import ---------------------------------------------------------------------

// The folders that imports search: sys.path, once sys is imported.
std::vector<std::filesystem::path> import_folders(Interpreter& vm);
std::vector<std::filesystem::path> listed_folders(Interpreter& vm, const Value& list);
struct ModuleFile {
  std::filesystem::path file;
  std::filesystem::path package;  // its folder, if it is a package
};
std::optional<ModuleFile> find_module_file(std::string_view name,
                                           const std::vector<std::filesystem::path>& folders);
std::string name_of(const std::filesystem::path& path);  // as a text of the language
std::string read_module_text(const std::filesystem::path& file);
// The modules in a package that gpy itself brings, "numpy.linalg"; empty: it has none.
std::vector<std::string> registered_parts(Interpreter& vm, std::string_view package);
// What an error says of a name that a package of modules alone does not have; else nothing.
std::string missing_part_text(Interpreter& vm, const Value& object, std::string_view name);
[[noreturn]] void raise_module_not_found(Interpreter& vm, std::string_view name,
                                         std::string_view because);
[[noreturn]] void raise_cannot_import(Interpreter& vm, const Value& module, Str* name);

}  // namespace gpy
