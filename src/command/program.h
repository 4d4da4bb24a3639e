#pragma once
// A script run as the main module, and what became of it as an exit code.

#include "src/command/program_text.h"
#include "src/interpreter.h"

namespace gpy::command {

int run_program(Interpreter& vm, const Program& program);
// After the last statement: objects that have something to say at their end say it.
void finish(Interpreter& vm);
// What is buffered goes out. Where it cannot, an exit code: kError if nobody reads it any more,
// else it is told, and kLostOutput.
int flush(Interpreter& vm);
// Until what the devices were given is done. Shows a late fault; false then.
bool wait_for_devices(Interpreter& vm);

}  // namespace gpy::command
