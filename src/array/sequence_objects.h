#pragma once
// What objects of classes say that they are to an array: __array__, a sequence by __len__ and
// __getitem__, or a number by __float__ and its kin.

#include <optional>

#include "runtime/core/dtype.h"
#include "src/interpreter.h"

namespace gpy {

// `value` with each such object in it, at any depth of lists and tuples, as an array or a list;
// `value` itself where there is none. With a dtype, objects that are neither become the numbers
// that it makes of them (number_for).
Value plain_sequences(Interpreter& vm, const Value& value,
                      std::optional<rt::DType> dtype = std::nullopt);
// Whether such an object is an operand beside an array: it has no operators of its own.
bool is_operand_object(Interpreter& vm, const Value& value);
// NumPy's text for lists in lists in lists.
[[noreturn]] void raise_too_deep(Interpreter& vm);

}  // namespace gpy
