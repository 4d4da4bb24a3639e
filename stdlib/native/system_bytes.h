#pragma once
// Random bytes of the operating system.

#include <string>

#include "src/value.h"

namespace gpy::lib {

// Throws OSError where the system refuses.
std::string system_bytes(Interpreter& vm, size_t count);

}  // namespace gpy::lib
