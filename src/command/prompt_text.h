#pragma once
// Pasted sessions as pages show them: ">>> x" and "... x" with the output between.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "src/command/line_reader.h"

namespace gpy::command {

// ">>> x" and "... x" become "x"; nothing for a line without a prompt.
std::optional<std::string> behind_prompt(std::string_view line);

// The source lines of typed and pasted input. Once a line of a paste had a prompt, its lines
// without one are output.
class SourceLines {
 public:
  explicit SourceLines(std::unique_ptr<LineReader> reader) : reader_(std::move(reader)) {}

  // The first line of an entry, and a further one. Nothing at the end of the input.
  std::optional<std::string> first();
  std::optional<std::string> next();

 private:
  std::optional<std::string> read(const char* prompt);

  std::unique_ptr<LineReader> reader_;
  bool pasting_ = false;
  std::optional<std::string> held_;  // a line that was read and belongs to the next entry
};

}  // namespace gpy::command
