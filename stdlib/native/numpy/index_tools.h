#pragma once
// s_ and index_exp: objects that give back what stands between their brackets.

#include "src/interpreter.h"

namespace gpy::lib {

// numpy.s_, or numpy.index_exp, which always gives a tuple.
Value make_index_expression(Interpreter& vm, bool always_tuple);

}  // namespace gpy::lib
