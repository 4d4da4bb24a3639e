#pragma once
// Ufuncs on objects of scripts' classes: their __array_ufunc__ is asked first; else the result
// takes the class of an operand.

#include "src/array/array_classes.h"

namespace gpy::lib {

// A call of a ufunc or of one of its methods, as __array_ufunc__ is told of it.
struct UfuncCall {
  Value ufunc;
  std::string_view method;
  std::vector<Value> inputs;
  std::vector<Value> outputs;
  std::vector<Str*> names;  // of further arguments
  std::vector<Value> values;
};

// The answer of the first class that has one; undefined where no operand's class has an
// __array_ufunc__. TypeError where all give NotImplemented.
Value ask_classes(Interpreter& vm, const UfuncCall& call);

// Whether any argument is an object of a script's class.
bool holds_classes(const CallArgs& arguments);

using PlainUfunc = Value (*)(Interpreter&, const Value& ufunc, const CallArgs&);
// A call that holds_classes: `plain` does the work on arrays.
Value call_with_classes(Interpreter& vm, const Value& ufunc, uint32_t inputs,
                        const CallArgs& arguments, PlainUfunc plain);

// ndarray.__array_finalize__ and its kin, for super() in scripts' classes.
std::span<const Native> class_protocol_rows();

}  // namespace gpy::lib
