#pragma once
// What objects of classes say that they are to an array: __array__, or a sequence by __len__ and
// __getitem__.

#include "src/interpreter.h"

namespace gpy {

// `value` with each such object in it, at any depth of lists and tuples, as an array or a list;
// `value` itself where there is none.
Value plain_sequences(Interpreter& vm, const Value& value);

}  // namespace gpy
