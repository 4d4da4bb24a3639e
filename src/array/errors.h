#pragma once
// The runtime's errors and warnings as the language shows them.

#include <string>

#include "src/array/arrays.h"

namespace gpy {

// For Hooks: the exception for an rt::Error in flight; undefined for other C++ exceptions.
Value translate_array_error(Interpreter& vm);

// The place that runs now; not known while no script runs.
rt::Origin current_origin(Interpreter& vm);

// "FILE:LINE: RuntimeWarning: message", once a place: where the operation was made, or else here.
void warn_floating_point(Arrays& arrays, const std::string& message, const rt::Origin& origin);

// NumPy's text for an operand that arrays cannot hold, a str first of all.
[[noreturn]] void raise_no_loop(Interpreter& vm, std::string_view ufunc,
                                std::initializer_list<Value> operands);

// "Unsupported type <class 'numpy.ndarray'>": an operand of the host in a GPU routine.
[[noreturn]] void raise_unsupported_type(Interpreter& vm, const Value& value);
// "Implicit conversion to a NumPy array is not allowed. ...": the other way round.
[[noreturn]] void raise_implicit_conversion(Interpreter& vm);

}  // namespace gpy
