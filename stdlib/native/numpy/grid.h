#pragma once
// mgrid and ogrid: objects that are only ever indexed.

#include "src/array/namespace.h"
#include "src/interpreter.h"

namespace gpy::lib {

// numpy.mgrid (or ogrid, if `sparse`) of a namespace.
Value make_grid(Interpreter& vm, const Namespace& names, bool sparse);

}  // namespace gpy::lib
