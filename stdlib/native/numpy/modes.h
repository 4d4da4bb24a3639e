#pragma once
// Arguments that functions of several modules read alike.

#include "runtime/ops/products.h"
#include "src/interpreter.h"

namespace gpy::lib {

// "full", "same" or "valid".
rt::ConvolveMode to_convolve_mode(Interpreter& vm, const Value& value);

}  // namespace gpy::lib
