#pragma once
// What nobody caught: shown, and an exit code.

#include "src/command/options.h"
#include "src/interpreter.h"

namespace gpy::command {

// How uncaught errors are shown from now on: a setting of the process.
void choose_report(const Options& options);

// Shows an uncaught exception, whatever comes of that; the exit code, SystemExit's own.
int report(Interpreter& vm, const Raised& raised);
// One line where there is no memory to say more.
void say_out_of_memory();

}  // namespace gpy::command
