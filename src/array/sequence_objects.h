#pragma once
// Objects of classes as input of an array: by __array__, as a sequence by __len__ and __getitem__,
// or as a number by __float__ and similar methods.

#include <optional>
#include <span>

#include "runtime/core/dtype.h"
#include "src/interpreter.h"

namespace gpy {

// `value` with each such object in it, at any depth of lists and tuples, as an array or a list;
// `value` itself where there is none. With a dtype, objects that are neither become the numbers
// that it makes of them (number_for).
Value plain_sequences(Interpreter& vm, const Value& value,
                      std::optional<rt::DType> dtype = std::nullopt);
// Whether such an object is an operand beside an array: it has no operators of its own, or those
// give way because it has __array__ and claims no priority.
bool is_operand_object(Interpreter& vm, const Value& value);
// Whether an object has __array__, or is a sequence of another kind than lists and tuples.
bool becomes_array(Interpreter& vm, const Value& value);
// Leaves the call of a native to the object if it is an array of one of the library's other kinds.
void leave_to(Interpreter& vm, const Value& object);
// Leaves the call of a native to the library's other kinds of arrays.
[[noreturn]] void leave_to_other_kinds(Interpreter& vm);
// The dtype of an object that has one; where the value names one of another kind, the call is left
// to that. TypeError where it names none.
rt::DType dtype_of_other(Interpreter& vm, const Value& named);
// The items of a list or a tuple; nullopt for anything else.
std::optional<std::span<const Value>> items_of(const Value& value);
// NumPy's text for lists in lists in lists.
[[noreturn]] void raise_too_deep(Interpreter& vm);

}  // namespace gpy
