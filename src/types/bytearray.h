#pragma once
// bytearray: bytes that may change.

#include <string>

#include "src/value.h"

namespace gpy {

// Makes the type and adds it to the builtins.
void setup_bytearray(Interpreter& vm);
// `type`: bytearray or a subclass; the result is a plain bytearray.
Value make_bytearray(Interpreter& vm, const Type* type, std::string data);

}  // namespace gpy
