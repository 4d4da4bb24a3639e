#pragma once
// Sessions as pages show them, ">>> x" and "... x" and the output between, when they are pasted.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "src/command/line_reader.h"

namespace gpy::command {

// ">>> x" and "... x" become "x"; nothing for a line without a prompt.
std::optional<std::string> behind_prompt(std::string_view line);

// The source lines of what is typed and pasted. Once a line came with a prompt, those that came
// with it and have none are output.
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
  std::optional<std::string> held_;  // read, and of the next entry
};

}  // namespace gpy::command
