#pragma once
// What a script meant by a name that nothing has.

#include "src/value.h"

namespace gpy {

struct Diagnostic;
struct Exception;

// Puts a suggestion or a hint to what is told of a NameError: "Did you mean: 'length'?", "Did you
// forget 'import numpy as np'?"; nothing without an idea.
void advise_name(Interpreter& vm, Exception* error, Diagnostic& d);

}  // namespace gpy
