#pragma once
// numpy.finfo and numpy.iinfo: the limits of the numbers of a type.

#include "src/interpreter.h"

namespace gpy::lib {

Type* info_type(Interpreter& vm, bool floating);

}  // namespace gpy::lib
