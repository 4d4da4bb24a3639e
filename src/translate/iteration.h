#pragma once
// What a for loop of a compiled body goes through, other than a range.

#include <functional>

#include "src/translate/dialect.h"

namespace gpy {

struct Iteration {
  TypedExpression count;
  std::function<TypedExpression(const TypedExpression& index)> item;  // at an index
};

}  // namespace gpy
