#pragma once
// What objects of classes say that they are to an array: __array__, or a sequence by __len__ and
// __getitem__.

#include "src/interpreter.h"

namespace gpy {

// `value` with each such object in it, at any depth of lists and tuples, as an array or a list;
// `value` itself where there is none.
Value plain_sequences(Interpreter& vm, const Value& value);
// Whether such an object is an operand beside an array: it has no operators of its own.
bool is_operand_object(Interpreter& vm, const Value& value);
// NumPy's text for lists in lists in lists.
[[noreturn]] void raise_too_deep(Interpreter& vm);

}  // namespace gpy
