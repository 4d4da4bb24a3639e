#pragma once
// The two halves of json that are native; the rest is json/__init__.gpy.

#include "src/native.h"

namespace gpy::lib {

Value json_scan(Interpreter& vm, Args args);
Value json_write(Interpreter& vm, Args args);

}  // namespace gpy::lib
