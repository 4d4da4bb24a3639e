#pragma once
// The runtime's errors and warnings as the language shows them.

#include <string>

#include "runtime/ops/ufunc.h"
#include "src/array/arrays.h"

namespace gpy {

// The exception for an rt::Error in flight, for Hooks; undefined for other C++ exceptions.
Value translate_array_error(Interpreter& vm);

// The place in the source that runs now; unknown while no script runs.
rt::Origin current_origin(Interpreter& vm);

// "FILE:LINE: RuntimeWarning: message", once per place: that of the operation, or else this one.
void warn_floating_point(Arrays& arrays, const std::string& message, const rt::Origin& origin);

// ComplexWarning where numbers of one type lose their imaginary parts in another.
void warn_of_lost_parts(Interpreter& vm, rt::DType from, rt::DType to);

// Raises numpy's AxisError: "axis2: axis 5 is out of bounds for array of dimension 2", without the
// words in front where the argument is not named.
[[noreturn]] void raise_axis_error(Interpreter& vm, int64_t axis, int64_t rank,
                                   std::string_view argument);

// "overflow encountered in cast" where a finite number is beyond a type of floats.
void tell_overflowing_cast(Arrays& arrays, const rt::Scalar& number, rt::DType to);

// What NumPy's error says of operands that arrays cannot hold, a str above all: no more than that
// they are not supported, or their dtypes, or the dtypes' classes.
enum class Refusal { plain, dtypes, classes };
Refusal refusal_of(const rt::Ufunc& ufunc);
[[noreturn]] void raise_no_loop(Interpreter& vm, std::string_view name, Refusal refusal,
                                std::initializer_list<Value> operands);
[[noreturn]] void raise_no_loop(Interpreter& vm, const rt::Ufunc& ufunc,
                                std::initializer_list<Value> operands);

// "Unsupported type <class 'numpy.ndarray'>": an operand of the host in a GPU routine.
[[noreturn]] void raise_unsupported_type(Interpreter& vm, const Value& value);
// "Implicit conversion to a NumPy array is not allowed. ...": a GPU array in a NumPy function.
[[noreturn]] void raise_implicit_conversion(Interpreter& vm);

}  // namespace gpy
