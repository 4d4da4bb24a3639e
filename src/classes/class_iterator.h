#pragma once
// Iteration over an object that has __getitem__ and no __iter__: self[0], self[1], ... until
// IndexError.

#include "src/value.h"

namespace gpy {

Value iterate_by_index(Interpreter& vm, const Value& sequence);

}  // namespace gpy
