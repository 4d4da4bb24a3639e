#pragma once
// Norms of vectors and matrices.

#include "src/array/convert.h"

namespace gpy::lib {

// numpy.linalg.norm: `ord` a number, "fro", "nuc" or None; `axis` an int, a pair or None.
rt::Array array_norm(Interpreter& vm, const rt::Array& x, const Value& ord, const Value& axis,
                     bool keepdims);
// The norm over the last two axes.
rt::Array matrix_norm(Interpreter& vm, const rt::Array& x, const Value& ord);

}  // namespace gpy::lib
