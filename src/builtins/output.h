#pragma once
// Where builtins write what they show.

#include <string_view>

#include "src/value.h"

namespace gpy {

// Writes to what sys.stdout is now, as print does.
void write_to_stdout(Interpreter& vm, std::string_view text);

}  // namespace gpy
