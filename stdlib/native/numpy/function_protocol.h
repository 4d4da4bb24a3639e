#pragma once
// Functions of arrays that scripts' classes answer for, NumPy's protocol `__array_function__`
// (NEP 18): which arguments are asked before a function runs.

#include "src/native.h"
#include "src/objects/function.h"

namespace gpy::lib {

// What the classes of a call's arguments give for it; undefined: the function is to run. The
// library's own calls ask nobody.
Value answer_for_native(Interpreter& vm, const Args& args);
Value answer_for_function(Interpreter& vm, Function& function, const CallArgs& arguments);

// ndarray.__array_function__, for super() in scripts' classes.
std::span<const Native> function_protocol_rows();

}  // namespace gpy::lib
