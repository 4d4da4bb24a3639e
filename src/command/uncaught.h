#pragma once
// Uncaught exceptions: their text, and the exit code.

#include "src/command/options.h"
#include "src/interpreter.h"

namespace gpy::command {

// Sets the form of reports of uncaught errors, for the whole process.
void choose_report(const Options& options);

// Shows an uncaught exception, or the error in that; returns the exit code, SystemExit's own.
int report(Interpreter& vm, const Raised& raised);
// Prints one line where there is no memory to say more.
void say_out_of_memory();

}  // namespace gpy::command
