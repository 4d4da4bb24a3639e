#pragma once
// `gpy doctest FILE...`

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/interpreter.h"

namespace gpy::command {

// The exit code: 0 where all passed. Throws std::invalid_argument for wrong options and
// std::runtime_error for a file that cannot be read. Each file gets an interpreter of its own.
int run_doctest(const std::vector<std::string>& words,
                const std::function<std::unique_ptr<Interpreter>()>& make_interpreter);

}  // namespace gpy::command
