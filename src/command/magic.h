#pragma once
// Commands of a prompt beyond the language: x? and ?x, %time, and %timeit.

#include <string>

#include "src/interpreter.h"

namespace gpy::command {

class Commands {
 public:
  explicit Commands(Interpreter& vm);

  // Whether the entry, a line, is one of these commands.
  bool takes(const std::string& text);
  // Runs the entry if it is a command; false otherwise.
  bool run(const std::string& text);
  // Echoes a value and keeps it as `_`; nothing for None.
  void show(const Value& value);

 private:
  void help(const std::string& expression);
  void call_help(std::initializer_list<Value> arguments);
  void magic(const std::string& line);
  void time(const std::string& statement);

  Interpreter& vm_;
};

}  // namespace gpy::command
