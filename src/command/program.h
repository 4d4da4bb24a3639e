#pragma once
// A script run as the main module, and its outcome as an exit code.

#include "src/command/program_text.h"
#include "src/interpreter.h"

namespace gpy::command {

int run_program(Interpreter& vm, const Program& program);
// Runs the code that objects have for their end, after the last statement.
void finish(Interpreter& vm);
// Writes buffered output. Where that fails, an exit code: kError if nobody reads it any more, else
// kLostOutput after an error message.
int flush(Interpreter& vm);
// Waits until the devices are done. Shows a late fault; false then.
bool wait_for_devices(Interpreter& vm);

}  // namespace gpy::command
