#pragma once
// Objects that answer for functions of arrays, NumPy's protocol `__array_function__` (NEP 18). The
// library's own are met by a native among its arguments, where it wants an array of numbers or a
// dtype of them: it leaves the whole call to them. Scripts' classes are asked before a function
// runs (ClassCalls).

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
Written as_written(Interpreter& vm, const CallArgs& arguments);

// The method that a class has from a script; null: none.
const Value* scripts_special(Interpreter& vm, Type* type, std::string_view name);
// The __array_function__ that a class has from the library, for its other kinds of arrays.
const Value* librarys_array_function(Interpreter& vm, Type* type);

// Adds an object that answers: one a class, a class before those that it is made from.
void add_answering(Interpreter& vm, std::vector<Value>& found, const Value& object);

// What the first of the objects gives that does not give NotImplemented; undefined: the function is
// to run, as it does where the type's own native __array_function__ would be called. TypeError
// where none has an answer.
Value ask(Interpreter& vm, const std::vector<Value>& asked, const Value& function,
          const Written& call, const std::string& name);

// What the library's classes give for the call of a native that has met an object of one of them.
Value answer_for(Interpreter& vm, const Args& args, const Override& override);

// What classes of the arguments give for a function of the library that is written in gpy;
// undefined: none of them has a say in it.
Value answer_of_arguments(Interpreter& vm, Function& function, const CallArgs& arguments);

// Calls a native's body.
Value run_body(Interpreter& vm, const Args& args);

}  // namespace gpy
