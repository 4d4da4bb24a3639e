#include "runtime/ops/number_loops.h"

#include <cmath>

namespace gpy::rt {

namespace {

template <class F, auto function> void one(const void* const* in, void* out, int64_t) {
  *static_cast<F*>(out) = function(*static_cast<const F*>(in[0]));
}
template <class F, auto function> void two(const void* const* in, void* out, int64_t) {
  *static_cast<F*>(out) = function(*static_cast<const F*>(in[0]), *static_cast<const F*>(in[1]));
}

struct Functions {
  Row row;
  TileLoop doubles, floats;
};

#define GPY_ONE(row, function)                                   \
  {                                                              \
    row, one<double, [](double x) { return std::function(x); }>, \
        one<float, [](float x) { return std::function(x); }>     \
  }
#define GPY_TWO(row, function)                                                \
  {                                                                           \
    row, two<double, [](double x, double y) { return std::function(x, y); }>, \
        two<float, [](float x, float y) { return std::function(x, y); }>      \
  }

// loops/elementary.cpp's functions of libmvec, except those that the C library rounds worse.
constexpr Functions kRows[] = {
    GPY_ONE(Row::exp, exp),     GPY_ONE(Row::exp2, exp2),     GPY_ONE(Row::log, log),
    GPY_ONE(Row::log2, log2),   GPY_ONE(Row::log1p, log1p),   GPY_ONE(Row::sin, sin),
    GPY_ONE(Row::cos, cos),     GPY_ONE(Row::tan, tan),       GPY_ONE(Row::arcsin, asin),
    GPY_ONE(Row::arccos, acos), GPY_ONE(Row::arctan, atan),   GPY_ONE(Row::sinh, sinh),
    GPY_ONE(Row::cosh, cosh),   GPY_ONE(Row::arccosh, acosh), GPY_ONE(Row::erf, erf),
    GPY_ONE(Row::erfc, erfc),   GPY_TWO(Row::arctan2, atan2), GPY_TWO(Row::hypot, hypot),
    GPY_TWO(Row::power, pow),
};

}  // namespace

TileLoop number_loop(Row row, DType type) {
  if (type != DType::kFloat64 && type != DType::kFloat32) return nullptr;
  for (const Functions& functions : kRows) {
    if (functions.row == row) return type == DType::kFloat64 ? functions.doubles : functions.floats;
  }
  return nullptr;
}

}  // namespace gpy::rt
