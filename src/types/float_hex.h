#pragma once
// float.hex and float.fromhex.

#include "src/native.h"

namespace gpy {

Value float_hex(Interpreter& vm, Args args);
Value float_from_hex(Interpreter& vm, Args args);

}  // namespace gpy
