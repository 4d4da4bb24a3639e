#pragma once
// int.to_bytes and int.from_bytes.

#include "src/native.h"

namespace gpy {

Value int_to_bytes(Interpreter& vm, Args args);
Value int_from_bytes(Interpreter& vm, Args args);

}  // namespace gpy
