#pragma once
// The sources of a prompt's lines: a line editor at a terminal, else standard input.

#include <memory>
#include <optional>
#include <string>

#include "src/interpreter.h"

namespace gpy::command {

// Thrown by Ctrl-C while a line is being typed.
struct LineInterrupted {};

class LineReader {
 public:
  virtual ~LineReader() = default;
  // Reads a line, returned without its end; nothing at the end of the input.
  virtual std::optional<std::string> read(const std::string& prompt) = 0;
  // Puts a line into the history, if there is one.
  virtual void remember(const std::string&) {}
};

// Prompts go to stderr, so that stdout holds what the lines print.
std::unique_ptr<LineReader> make_plain_reader();
// History in a file, completion of the interpreter's names by Tab.
std::unique_ptr<LineReader> make_line_editor(Interpreter& vm);

}  // namespace gpy::command
