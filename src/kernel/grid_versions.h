#pragma once
// What a kernel on a grid was compiled to, by the types of its arguments, as Numba's dispatchers
// tell of it.

#include "src/interpreter.h"

namespace gpy {

// The types of numba.types that the kernel has been compiled for: a list of tuples.
Value grid_signatures(Interpreter& vm, const Value& kernel);
// Lets the kernel take arguments of these types, as a signature has them; of several signatures
// any.
void declare_grid(Interpreter& vm, const Value& kernel, const Value& specs);

// Of the code for these types, which is made where there is none.
// A dict of CuPy's names of attributes, and `cooperative`.
Value grid_attributes(Interpreter& vm, const Value& kernel, const Value& specs);
// `form`: "source", "ptx" or "sass". Throws kNotImplemented for what the CPU has not.
Value grid_text(Interpreter& vm, const Value& kernel, const Value& specs, std::string_view form);
// The blocks of so many threads that the device runs at once.
int64_t grid_blocks_at_once(Interpreter& vm, const Value& kernel, const Value& specs,
                            int64_t threads, int64_t shared_bytes);

}  // namespace gpy
