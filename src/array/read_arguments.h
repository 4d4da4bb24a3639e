#pragma once
// Arguments that array functions share: shapes, axes, dtypes, orders.

#include <optional>
#include <vector>

#include "src/array/convert.h"

namespace gpy {

// The length of an axis: ValueError "Maximum allowed dimension exceeded" beyond 64 bits.
int64_t to_extent(Interpreter& vm, const Value& value);
// An int or a sequence of ints, as numpy.zeros and reshape take it. Not checked for sign.
rt::Dims to_dims(Interpreter& vm, const Value& value);
// The same for a new array: ValueError "negative dimensions are not allowed".
rt::Dims to_shape(Interpreter& vm, const Value& value);
// `*shape` as methods take it: ints, or one sequence.
rt::Dims dims_of_rest(Interpreter& vm, const Value& rest);

// None and an omitted argument are nullopt.
std::optional<int64_t> to_axis(Interpreter& vm, const Value& value);
// Those of folds, which refuse a bool, and lists for several axes.
std::optional<int64_t> to_strict_axis(Interpreter& vm, const Value& value);
std::optional<std::vector<int64_t>> to_axes(Interpreter& vm, const Value& value);
// The same of functions that take any sequence of axes.
std::optional<std::vector<int64_t>> to_axis_list(Interpreter& vm, const Value& value);
// `keepdims`, an int or a bool; omitted it is false.
bool to_keepdims(Interpreter& vm, const Value& value);
std::vector<int64_t> to_ints(Interpreter& vm, const Value& value);  // an int counts as one

// Whatever numpy.dtype takes: names, types, dtypes. TypeError "data type 'foo' not understood".
rt::DType to_dtype(Interpreter& vm, const Value& value);
std::optional<rt::DType> to_optional_dtype(Interpreter& vm, const Value& value);
rt::Casting to_casting(Interpreter& vm, const Value& value, rt::Casting otherwise);
// "K", "C", "F", "A"; None and omitted are `otherwise`.
char to_order(Interpreter& vm, const Value& value, char otherwise);

bool is_given(const Value& value);  // neither omitted nor None
// `copy`, which is not None; ValueError for text, which is an order in the wrong place.
bool copy_flag(Interpreter& vm, const Value& value);
bool truth_or(Interpreter& vm, const Value& value, bool otherwise);
// Refuses a `device` of the array API's other than None and "cpu".
void check_device(Interpreter& vm, const Value& value);
// Refuses a `like` that has no __array_function__ with NumPy's TypeError.
void check_like(Interpreter& vm, const Value& value);
// An `out=` argument, alone or in a tuple; null when there is none. TypeError "return arrays must
// be of ArrayType".
Ndarray* to_out(Interpreter& vm, const Value& value);

Value shape_tuple(Interpreter& vm, std::span<const int64_t> shape);

}  // namespace gpy
