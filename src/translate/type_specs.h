#pragma once
// Types as Numba names them: of signatures, of the fields of classes, and in texts.

#include <string>
#include <string_view>

#include "src/interpreter.h"
#include "src/translate/dialect.h"

namespace gpy {

// ("float64",), ("float64", 2, "C") of an array, ("tuple", ...items), ("list", item),
// ("instance", class) and ("none",): what the types of the module numba.types say of themselves.
TypedType declared_type(Interpreter& vm, const Value& spec);
Value declared_spec(Interpreter& vm, const TypedType& type);

// "array(float64, 2d, C)", "UniTuple(int64, 2)".
std::string numba_text(const TypedType& type);

// Classes of numba.experimental.jitclass.
bool is_jit_class(Interpreter& vm, const Type& type);
TypedType instance_type(Interpreter& vm, const Type& type);
Value class_of(const TypedType& instance);
// The functions as they were written; undefined: it has none of this name.
Value class_method(Interpreter& vm, const Type& type, std::string_view name);
Value class_getter(Interpreter& vm, const Type& type, std::string_view name);
Value class_setter(Interpreter& vm, const Type& type, std::string_view name);
Value class_static(Interpreter& vm, const Type& type, std::string_view name);

}  // namespace gpy
