#pragma once
// Natives on objects of classes over arrays: what a function hands to a method of the object, and
// the class of what it gives.

#include "src/interpreter.h"

namespace gpy::lib {

// ClassCalls::native.
Value call_for_classes(Interpreter& vm, const Args& args);
// ClassCalls::function.
Value call_function_for_classes(Interpreter& vm, Function& function, const CallArgs& arguments);

// A new array with the class of another one, or a tuple or list of such; of a tuple only the items
// at `places`, if they are given. Functions written in gpy call it.
Value with_class_of(Interpreter& vm, const Value& made, const Value& like, const Value& places);

}  // namespace gpy::lib
