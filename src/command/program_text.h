#pragma once
// What is to be run, and where its text is.

#include <filesystem>
#include <string>

#include "src/command/options.h"

namespace gpy::command {

struct Program {
  std::string name;  // "script.gpy", "<string>", "<stdin>"; a text, not the path's bytes
  std::string text;
  std::string folder;      // where imports look first
  bool is_module = false;  // `name` is a module's, whose text is looked for when it is run
};

// Both throw std::runtime_error with one line for a file that cannot be read.
std::string read_file(const std::string& path);
Program read_program(const Options& options);

// The path itself where the system does not say.
std::filesystem::path absolute_path(const std::filesystem::path& path);

}  // namespace gpy::command
