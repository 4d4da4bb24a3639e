#pragma once
// Arrays from lists of lists: what numpy.array does with anything that is not an array yet.

#include <optional>
#include <span>

#include "src/array/arrays.h"

namespace gpy {

// Numbers, arrays and (nested) sequences of them. Without a dtype the elements decide. Raises
// ValueError for ragged nesting, TypeError for what no array can hold.
rt::Array array_from_nested(Interpreter& vm, const Value& value, std::optional<rt::DType> dtype,
                            rt::Space space, char order = 'C');

// The numbers of several flat lists, one after the other, as an array of the host with one axis.
rt::Array array_of_lists(Interpreter& vm, std::span<const Value> lists, rt::DType dtype);

}  // namespace gpy
