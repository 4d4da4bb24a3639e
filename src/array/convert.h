#pragma once
// Conversions of the language's values to the runtime's operands and arrays, and back.

#include <optional>
#include <span>
#include <vector>

#include "src/array/arrays.h"
#include "src/array/namespace.h"

namespace gpy {

struct Int;

// --- to values -----------------------------------------------------------------------------------

// An array as it is. `owner`: whose memory it may view; decides `.base`.
Value wrap_array(Interpreter& vm, rt::Array array);
Value wrap_view(Interpreter& vm, rt::Array array, const Value& owner);
// The result of a ufunc, a reduction or full indexing: a 0-d array of the host becomes a scalar.
Value wrap_result(Interpreter& vm, rt::Array array);
Value wrap_scalar(Interpreter& vm, const rt::Scalar& number);
Value wrap_float64(Interpreter& vm, double number);
Value wrap_int64(Interpreter& vm, int64_t number);
Value wrap_element(Interpreter& vm, rt::DType dtype, const std::byte* element);
// np.True_ or np.False_.
Value wrap_boolean(Interpreter& vm, bool truth);
Value wrap_dtype(Interpreter& vm, rt::DType dtype);
// A number of Python: what item() and tolist() give.
Value python_number(Interpreter& vm, const rt::Scalar& number);

// --- from values ---------------------------------------------------------------------------------

inline Ndarray* as_ndarray(const Value& value) { return value.try_as<Ndarray>(); }
inline Generic* as_generic(const Value& value) { return value.try_as<Generic>(); }

// Whether an Int, which holds what a tagged int64 cannot, does not fit into uint64 either.
bool is_beyond_64_bits(const Int& number);
bool is_beyond_64_bits(const Value& value);

// A number of Python or NumPy. Ints beyond 64 bits raise OverflowError.
std::optional<rt::Scalar> try_number(Interpreter& vm, const Value& value);
// The same of a number that becomes `dtype`: a float holds ints beyond 64 bits.
std::optional<rt::Scalar> try_number_for(Interpreter& vm, const Value& value, rt::DType dtype);
// Converts an object that is to be stored as `dtype` as NumPy does: float(), int() or complex() of
// it, or its truth. TypeError where it has no such method.
Value number_for(Interpreter& vm, const Value& object, rt::DType dtype);
// The value to set as an element of `dtype`. For a signed integer dtype a real number of NumPy's
// becomes the Python number that it holds, and so is checked; NumPy casts to unsigned ones.
Value plain_element(Interpreter& vm, const Value& item, rt::DType dtype);
// An array or a number; nullopt for sequences and all other values.
std::optional<rt::Operand> try_operand(Interpreter& vm, const Value& value);
// Like try_operand, but sequences become arrays in `space`; nullopt for what cannot be an array.
std::optional<rt::Operand> try_operand_or_sequence(Interpreter& vm, const Value& value,
                                                   rt::Space space);
// An argument of a function of the namespace. A host array passed to cupy raises CuPy's TypeError.
rt::Operand to_operand(Interpreter& vm, const Value& value, const Namespace& names);
rt::Array to_array(Interpreter& vm, const Value& value, const Namespace& names);
// Argument `i` of a native: an array stays where it is, any other value becomes one.
rt::Array array_argument(Interpreter& vm, const Args& args, size_t i = 0);
// An operand as an array; a number becomes 0-d.
rt::Array as_array(Interpreter& vm, const rt::Operand& operand, rt::Space space);

// The space of a result when no argument is an array: a method's own array's, else the namespace's.
rt::Space fallback_space(Interpreter& vm, const Args& args);

// The dtype that an array, a scalar or a number has by itself.
std::optional<rt::DType> dtype_of_value(Interpreter& vm, const Value& value);

// Checks a Python number that is to be stored as `dtype`: OverflowError "Python integer 300 out of
// bounds for uint8", ValueError for NaN to an integer, TypeError for complex to real.
rt::Scalar checked_cast(Interpreter& vm, const Value& value, const rt::Scalar& number,
                        rt::DType dtype);

}  // namespace gpy
