#pragma once
// What a script meant by a name that nothing has.

#include "src/value.h"

namespace gpy {

struct Exception;
struct Frame;
struct Str;

// Puts a suggestion or a hint to the error: "Did you mean: 'length'?", "Did you forget 'import
// numpy as np'?"; nothing without an idea.
void advise_name(Interpreter& vm, const Frame& frame, Str* name, Exception& error);

}  // namespace gpy
