#pragma once
// Which ints are surely not negative, so that an index needs no look at the end of the array.

#include "src/translate/variables.h"

namespace gpy {

bool is_nonnegative(const TypedExpression& value, const Variables& variables);

}  // namespace gpy
