#pragma once
// r_ and c_: arrays joined by indexing.

#include "src/array/namespace.h"
#include "src/interpreter.h"

namespace gpy::lib {

// numpy.r_, or numpy.c_ if `columns`.
Value make_joiner(Interpreter& vm, const Namespace& names, bool columns);

}  // namespace gpy::lib
