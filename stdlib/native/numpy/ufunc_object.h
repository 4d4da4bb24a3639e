#pragma once
// Ufuncs as objects: np.add, and np.add.reduce. One type for all; the runtime's table says what
// there is.

#include "runtime/ops/ufunc.h"
#include "src/array/namespace.h"
#include "src/interpreter.h"

namespace gpy::lib {

// The ufunc of that name in a namespace (aliases as NumPy has them); undefined if there is none.
Value find_ufunc_object(Interpreter& vm, const Namespace& names, std::string_view name);
void list_ufunc_names(Interpreter& vm, std::vector<Str*>& names);
// The type numpy.ufunc.
Type* ufunc_type(Interpreter& vm);

}  // namespace gpy::lib
