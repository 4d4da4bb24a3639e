#pragma once
// Ufuncs as objects: np.add, and np.add.reduce. One type for all; the runtime's table says what
// there is.

#include "runtime/ops/ufunc.h"
#include "src/array/namespace.h"
#include "src/interpreter.h"

namespace gpy::lib {

// A row of the table as a function of a namespace.
Value make_ufunc_object(Interpreter& vm, const Namespace& names, const rt::Ufunc& ufunc);
// The ufunc that has the name in a namespace; undefined if there is none.
Value find_ufunc_object(Interpreter& vm, const Namespace& names, std::string_view name);
void list_ufunc_names(Interpreter& vm, const Namespace& module, std::vector<Str*>& names);
// The same for scipy.special and cupyx.scipy.special.
Value find_special_ufunc(Interpreter& vm, const Namespace& names, std::string_view name);
void list_special_ufuncs(Interpreter& vm, std::vector<Str*>& names);
// by.__array_ufunc__(ufunc, "__call__", *inputs, **kwargs)
Value answer_for_ufunc(Interpreter& vm, const Value& self, const CallArgs& arguments,
                       const Value& by);
// The type numpy.ufunc.
Type* ufunc_type(Interpreter& vm);

}  // namespace gpy::lib
