#pragma once
// ufunc.resolve_dtypes: which types a ufunc's loop has, for inputs of given types.

#include "runtime/ops/ufunc.h"
#include "src/interpreter.h"

namespace gpy::lib {

struct TypesQuestion {
  const rt::Ufunc& ufunc;
  const rt::UfuncLoop* loop;  // the one that a signature asks for; null without one
  const Value& dtypes;        // the inputs', then the output's or None
  const Value& casting;
  bool reduction;  // the first input is the result so far: None for the second one's type
};

// A tuple of the loop's dtypes. TypeError where no loop takes the inputs.
Value resolve_dtypes(Interpreter& vm, const TypesQuestion& asked);

}  // namespace gpy::lib
