#pragma once
// The program gpy: it does what its arguments ask for and returns an exit code. The floor above
// passes the function that fills an interpreter, so nothing here knows the library.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/session.h"
#include "src/interpreter.h"

namespace gpy::command {

enum ExitCode { kOk = 0, kError = 1, kUsage = 2, kLostOutput = 120, kInterrupted = 130 };

using Install = void (*)(Interpreter& vm, std::shared_ptr<rt::Runtime> runtime);

// 0 done; 1 an uncaught error, an unreadable file included; 2 usage, and a main source that does
// not parse; 130 interrupted; sys.exit's own code.
int run_command(const std::vector<std::string>& words, Install install);

}  // namespace gpy::command
