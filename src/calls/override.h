#pragma once
// Objects that answer for functions of arrays, NumPy's protocol `__array_function__` (NEP 18): a
// native that meets one among its arguments, where it wants an array of numbers or a dtype of them,
// leaves the whole call to it.

#include "src/native.h"
#include "src/objects/function.h"

namespace gpy {

// Thrown while a native reads its arguments, before it has done anything.
struct Override {
  Value by;
};

// by.__array_function__(function, types, args, kwargs) for the call of a native.
Value answer_for(Interpreter& vm, const Args& args, const Override& override);

// Calls a native's body.
Value run_body(Interpreter& vm, const Args& args);

}  // namespace gpy
