#pragma once
// Finds the arrays that hold memory: those that a script reaches by its names, and those that are
// kept for reports of errors alone.

#include <string>

#include "src/interpreter.h"

namespace gpy {

// "`x` 7.6 MiB, `batches` 3.1 GiB": the names of the main module, and the prompt's `_`, through
// which the most memory is reached, the largest first; nothing below a MiB. An array counts for the
// first name that reaches it. `on_device`: arrays of the host are passed over.
std::string largest_holders(Interpreter& vm, bool on_device);

// Takes from every exception the arrays that it keeps for its report. Runs no script's code. True
// if there were any.
bool forget_hidden_arrays(Interpreter& vm);

}  // namespace gpy
