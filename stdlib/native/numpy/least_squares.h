#pragma once
// x where a x is nearest to b, by singular values.

#include "src/array/convert.h"

namespace gpy::lib {

struct LeastSquares {
  rt::Array x;
  rt::Array singular;  // values of a, the largest first
  rt::Array rank;      // how many of them exceed `cut` times the largest; the others count as zero
};

// `a` is a matrix, `b` a vector or a matrix of as many rows.
LeastSquares least_squares(Interpreter& vm, const rt::Array& a, const rt::Array& b, double cut);

}  // namespace gpy::lib
