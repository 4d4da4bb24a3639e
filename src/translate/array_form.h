#pragma once
// Arrays in the typed form: elementwise expressions, which are one loop however long they are, and
// the types of arrays that a function makes.

#include <functional>
#include <string>
#include <vector>

#include "src/translate/dialect.h"

namespace gpy {

// A new array, in C order.
TypedType made_array(rt::DType dtype, int rank);
// A type of what containers hold: arrays in it are kept as long as the container.
TypedType owned_items(TypedType type);
// The array seen with other axes; it keeps whose memory it is.
TypedType seen_array(const TypedType& array, int rank, bool dense);

// "f64": a dtype among the template arguments of the support text; elements in memory may differ.
std::string number_symbol(rt::DType dtype);
std::string element_symbol(rt::DType dtype);

// The array of what `body` makes of the elements of arguments, arrays and numbers, at each place.
// Arguments that are elementwise expressions become part of the new one.
using ElementBody = std::function<TypedExpression(std::vector<TypedExpression>)>;
TypedExpression elementwise(std::vector<TypedExpression> arguments, const ElementBody& body);

// Gives each place of the array `to` the value, an array or a number, as it is cast.
TypedExpression assign_elements(TypedExpression to, TypedExpression value);

bool any_array(const std::vector<TypedExpression>& values);

// A call of the support text that may raise.
TypedExpression failing_call(std::string symbol, TypedType type, std::vector<TypedExpression> args);

// The array itself where it is computed, so that it is one variable's or one loop's memory.
inline bool is_elementwise(const TypedExpression& value) {
  return value.kind == TypedExpression::Kind::kElementwise;
}

}  // namespace gpy
