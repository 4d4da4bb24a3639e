#pragma once
// What a script meant by a name that nothing has.

#include <string>
#include <string_view>

#include "src/value.h"

namespace gpy {

struct Frame;
struct Str;

// ". Did you mean: 'length'?", ". Did you forget 'import numpy as np'?"; empty: no idea.
std::string name_hint(Interpreter& vm, const Frame& frame, Str* name);

}  // namespace gpy
