#pragma once
// __eq__, __lt__, ... and __hash__ of a dataclass.

#include "src/interpreter.h"

namespace gpy::lib {

// The type field_method(name, fields, /): name is "Point.__eq__".
Type* make_field_method_type(Interpreter& vm);

}  // namespace gpy::lib
