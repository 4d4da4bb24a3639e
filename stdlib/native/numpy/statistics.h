#pragma once

#include "src/array/convert.h"

namespace gpy::lib {

// The median along the last axis, which has elements; nan where there is one.
rt::Array median_of_last(Interpreter& vm, const rt::Array& array);

}  // namespace gpy::lib
