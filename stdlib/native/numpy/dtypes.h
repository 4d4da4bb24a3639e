#pragma once
// Questions about types that other families ask too.

#include "src/value.h"

namespace gpy::lib {

// numpy.isscalar: a number or text alone.
bool is_scalar(const Value& value);

}  // namespace gpy::lib
