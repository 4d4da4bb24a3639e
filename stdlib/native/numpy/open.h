#pragma once
// The modules of arrays. numpy, cupy and gpy are opened by one function, from the same rows.

#include "src/array/namespace.h"
#include "src/interpreter.h"

namespace gpy::lib {

Value open_array_module(Interpreter& vm, const Namespace& names);
void register_array_modules(Interpreter& vm);

// Parts of an array module: numpy.linalg, cupy.linalg ...
Value open_linalg(Interpreter& vm, const Namespace& names);
Value open_fft(Interpreter& vm, const Namespace& names);
Value open_testing(Interpreter& vm, const Namespace& names);
Value open_exceptions(Interpreter& vm, const Namespace& names);
Value open_dtypes(Interpreter& vm, const Namespace& names);  // the types of the dtypes
Value open_numpy_random(Interpreter& vm);
Value open_device_random(Interpreter& vm, const Namespace& names);

// A module whose natives act for a namespace: its name is the namespace's and `part`.
Ref<Module> make_part(Interpreter& vm, const Namespace& names, std::string_view part,
                      std::span<const Native> rows);
// The same, with what the part's families in gpy have.
Ref<Module> make_library_part(Interpreter& vm, const Namespace& names, std::string_view part,
                              std::span<const Native> rows);

}  // namespace gpy::lib
