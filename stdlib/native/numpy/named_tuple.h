#pragma once
// Tuples whose items have names as well: the results of linalg.qr and svd.

#include <span>

#include "src/interpreter.h"

namespace gpy::lib {

// The type is made at the first use of `name`, whose `fields` must live as long as the interpreter.
Value make_named_tuple(Interpreter& vm, const char* name, std::span<const char* const> fields,
                       std::span<const Value> items);

}  // namespace gpy::lib
