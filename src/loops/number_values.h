#pragma once
// The script's numbers and arrays as compiled loops have them.

#include <optional>

#include "src/interpreter.h"
#include "src/translate/dialect.h"

namespace gpy {

// The type of a number, or of an array of the host; nullopt for other values.
std::optional<TypedType> type_of_value(Interpreter& vm, const Value& value);
rt::Scalar number_of_value(const Value& value);
// `is_numpys`: of a type that is either.
Value number_value(Interpreter& vm, const TypedType& type, const rt::Scalar& number,
                   bool is_numpys);

}  // namespace gpy
