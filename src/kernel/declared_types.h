#pragma once
// Types of arguments as Numba names them: of signatures, and in texts.

#include <string>
#include <vector>

#include "src/interpreter.h"
#include "src/kernel/typed_arguments.h"

namespace gpy {

// ("float64",), ("float64", 2, "C") of an array, ("tuple", ...items) and ("none",): what the types
// of the module numba.types say of themselves.
TypedType declared_type(Interpreter& vm, const Value& spec);
Value declared_spec(Interpreter& vm, const TypedType& type);

// "array(float64, 2d, C)", "UniTuple(int64, 2)".
std::string numba_text(const TypedType& type);

// The argument as a declared type; nullopt where it does not become one.
std::optional<TypedArgument> as_declared(const TypedArgument& given, const TypedType& type);

}  // namespace gpy
