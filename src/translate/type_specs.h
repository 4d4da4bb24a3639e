#pragma once
// Types as Numba names them: of signatures, of the fields of classes, and in texts.

#include <string>
#include <string_view>

#include "src/interpreter.h"
#include "src/translate/dialect.h"

namespace gpy {

// ("float64",), ("float64", 2, "C") of an array, ("tuple", ...items), ("list", item),
// ("named", class, ...items), ("instance", class) and ("none",): what the types of the module
// numba.types say of themselves.
TypedType declared_type(Interpreter& vm, const Value& spec);
Value declared_spec(Interpreter& vm, const TypedType& type);

// "array(float64, 2d, C)", "UniTuple(int64 x 2)".
std::string numba_text(const TypedType& type);

// Classes of numba.experimental.jitclass.
bool is_jit_class(Interpreter& vm, const Type& type);
TypedType instance_type(Interpreter& vm, const Type& type);
// Of an instance, or of a named tuple.
Value class_of(const TypedType& type);
// The functions as they were written; undefined: it has none of this name.
Value class_method(Interpreter& vm, const Type& type, std::string_view name);
Value class_getter(Interpreter& vm, const Type& type, std::string_view name);
Value class_setter(Interpreter& vm, const Type& type, std::string_view name);
Value class_static(Interpreter& vm, const Type& type, std::string_view name);

// Classes of collections.namedtuple and typing.NamedTuple.
bool is_named_tuple(Interpreter& vm, const Type& type);
TypedType named_tuple_type(Interpreter& vm, const Type& type, std::vector<TypedType> items);

}  // namespace gpy
