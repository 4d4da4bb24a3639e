#pragma once
// The prompt: reads an entry (a line, or the lines of a block), runs it, shows its value.

#include "src/interpreter.h"

namespace gpy::command {

// Runs until the input ends or SystemExit is raised; returns the exit code.
int run_prompt(Interpreter& vm);

}  // namespace gpy::command
