#pragma once
// What a for loop of a compiled body goes through, other than a range.

#include <functional>

#include "src/translate/dialect.h"

namespace gpy {

struct Iteration {
  TypedExpression count;
  std::function<void(const TypedExpression& index)> bind;  // assigns the items at an index
};

}  // namespace gpy
