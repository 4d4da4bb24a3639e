#pragma once
// numpy.finfo and numpy.iinfo: what numbers of a type can be.

#include "src/interpreter.h"

namespace gpy::lib {

Type* info_type(Interpreter& vm, bool floating);

}  // namespace gpy::lib
