#pragma once
// The program to run, and the place of its text.

#include <filesystem>
#include <string>

#include "src/command/options.h"

namespace gpy::command {

struct Program {
  std::string name;  // "script.gpy", "<string>", "<stdin>"; a text, not the path's bytes
  std::string text;
  std::string folder;      // searched first by imports
  bool is_module = false;  // `name` is a module's, whose text is found when it runs
};

// Both throw std::runtime_error with one line for a file that cannot be read.
std::string read_file(const std::string& path);
Program read_program(const Options& options);

// The absolute path; the given one where the system cannot tell.
std::filesystem::path absolute_path(const std::filesystem::path& path);

}  // namespace gpy::command
