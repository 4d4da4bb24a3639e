#pragma once
// What allclose and numpy.testing share.

#include "src/array/convert.h"

namespace gpy::lib {

// Two arrays brought to one place: the device, if either is there.
struct ComparedPair {
  rt::Array a, b;
  rt::Space space = rt::Space::host();
};
ComparedPair compared_pair(Interpreter& vm, const Value& a, const Value& b);

struct Tolerance {
  double relative, absolute;
  bool equal_nan;
};
rt::Array close_elements(Interpreter& vm, const ComparedPair& pair, const Tolerance& tolerance);

}  // namespace gpy::lib
