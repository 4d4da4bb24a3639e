#pragma once
// Objects that answer for functions of arrays, NumPy's protocol `__array_function__` (NEP 18): a
// native that meets one among its arguments, where it wants an array of numbers or a dtype of them,
// leaves the whole call to it.

#include <vector>

#include "src/native.h"
#include "src/objects/containers.h"
#include "src/objects/function.h"

namespace gpy {

// Thrown while a native reads its arguments, before it has done anything.
struct Override {
  Value by;
};

// A call as its caller wrote it.
struct Written {
  std::vector<Value> positional;
  Ref<Dict> named;
};
Written as_written(Interpreter& vm, const Args& args);

// What the __array_function__ of the arguments' classes give for the call of a native that has met
// one of them.
Value answer_for(Interpreter& vm, const Args& args, const Override& override);

// What classes of the arguments give for a function of the library that is written in gpy;
// undefined: none of them has a say in it.
Value answer_of_arguments(Interpreter& vm, Function& function, const CallArgs& arguments);

// Calls a native's body.
Value run_body(Interpreter& vm, const Args& args);

}  // namespace gpy
