#pragma once
// Ufuncs of two results, as objects: np.divmod. Each is two rows of the table over the same inputs.

#include "src/array/namespace.h"
#include "src/interpreter.h"

namespace gpy::lib {

// The ufunc of that name, or undefined.
Value find_paired_ufunc(Interpreter& vm, const Namespace& names, std::string_view name);
void list_paired_ufuncs(Interpreter& vm, std::vector<Str*>& names);

}  // namespace gpy::lib
