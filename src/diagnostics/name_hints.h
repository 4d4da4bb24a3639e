#pragma once
// Suggestions for a name that is not defined.

#include "src/value.h"

namespace gpy {

struct Diagnostic;
struct Exception;

// Adds a suggestion or a hint to the report of a NameError: "Did you mean: 'length'?", "Did you
// forget 'import numpy as np'?"; nothing if there is none.
void advise_name(Interpreter& vm, Exception* error, Diagnostic& d);

}  // namespace gpy
