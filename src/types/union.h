#pragma once
// int | str: a choice of types, for isinstance and annotations.

#include "src/value.h"

namespace gpy {

struct Tuple;

// Gives types the operator |.
void setup_union(Interpreter& vm);
// The types to choose from; null when `v` is no union.
Tuple* union_members(const Value& v);

}  // namespace gpy
