#pragma once
// float.hex and float.fromhex.

#include "src/native.h"

namespace gpy {

Value float_hex(Interpreter& vm, double x);
Value float_from_hex(Interpreter& vm, const Value& cls, const Value& string);

}  // namespace gpy
