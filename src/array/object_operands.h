#pragma once
// Operators of arrays and NumPy's scalars beside an object of a class that is no array: its own
// operators or the ufunc, as NumPy decides it.

#include <string_view>

#include "src/interpreter.h"

namespace gpy {

// NotImplemented where the object's own operator is to be called, else what the ufunc gives, in
// place where `target` is not null. Undefined: neither operand is such an object.
Value operate_beside_object(Interpreter& vm, std::string_view ufunc, const Value& lhs,
                            const Value& rhs, const Value* target = nullptr);

// The same of a comparison of a scalar: with an object that is no array Python's number is
// compared.
Value compare_scalar_beside_object(Interpreter& vm, CompareOp op, const Value& self,
                                   const Value& other);

}  // namespace gpy
