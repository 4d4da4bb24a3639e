#pragma once
// Classes of scripts over the array types: the class that a result takes, and the methods that such
// classes may have for it (__array_finalize__, __array_wrap__, __array_ufunc__,
// __array_priority__), as NumPy's "Subclassing ndarray" describes them.

#include <span>
#include <string_view>

#include "src/array/convert.h"

namespace gpy {

inline bool is_of_array_class(const Value& value) {
  const Ndarray* array = as_ndarray(value);
  return array && array->type->is_class;
}

// Whether it has no axes: its class says which Python number it is.
inline bool is_number_of_array_class(const Value& value) {
  return is_of_array_class(value) && as_ndarray(value)->array.rank() == 0;
}

// ForClasses::adopt. What is no array, or is of a class already, stays as it is.
Value adopt_array(Interpreter& vm, Type* type, const Value& made, const Value& from);
// The plain array that an object of such a class is; other values stay as they are.
Value without_array_class(Interpreter& vm, const Value& value);

// The operand whose class a result takes: that of the highest priority, the first of several.
// Undefined: the result is a plain array.
Value leading_operand(Interpreter& vm, std::span<const Value> operands);

// The result of a ufunc as an object of the class that it takes; a tuple: each of its items.
Value wrap_for_classes(Interpreter& vm, const Value& made, std::span<const Value> operands,
                       std::string_view ufunc);
// The results of a ufunc that was given outputs: each of these is told by its own __array_wrap__ of
// what is in it now; where an output is None, the result is wrapped as in wrap_for_classes.
Value wrap_given_outputs(Interpreter& vm, const Value& made, std::span<const Value> inputs,
                         std::span<const Value> outputs, const Value& ufunc);
// As wrap_for_classes for the class of one object, where no ufunc is told.
Value wrap_for_class_of(Interpreter& vm, const Value& made, const Value& leader);

// The script's own __array_ufunc__ of an object's class; null: none.
const Value* own_array_ufunc(Interpreter& vm, const Value& value);
// The ufunc of that name in the namespace of an array, or in numpy.
Value ufunc_beside(Interpreter& vm, const Value& array, std::string_view name);

// What the slots of such classes begin with, if `plain` are an array type's.
Slots slots_for_array_classes(const Slots& plain);

}  // namespace gpy
