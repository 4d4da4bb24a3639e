#pragma once
// Whether the output of an example is as expected, by the rules of Python's doctest.OutputChecker.

#include <string>

#include "src/command/doctest/example.h"

namespace gpy::command {

bool is_wanted(const std::string& want, const std::string& got, Flags flags);
// The same for the last lines of tracebacks: "ValueError: no".
bool is_wanted_error(const std::string& want, const std::string& got, Flags flags);

}  // namespace gpy::command
