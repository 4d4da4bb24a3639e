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

struct Row {
  std::string_view name;
  TileLoop doubles, floats;
};

#define GPY_ONE(name, function)                                   \
  {                                                               \
    name, one<double, [](double x) { return std::function(x); }>, \
        one<float, [](float x) { return std::function(x); }>      \
  }
#define GPY_TWO(name, function)                                                \
  {                                                                            \
    name, two<double, [](double x, double y) { return std::function(x, y); }>, \
        two<float, [](float x, float y) { return std::function(x, y); }>       \
  }

// What loops/elementary.cpp hands to libmvec, but for tanh, which NumPy computes as that does.
constexpr Row kRows[] = {
    GPY_ONE("exp", exp),       GPY_ONE("exp2", exp2),     GPY_ONE("expm1", expm1),
    GPY_ONE("log", log),       GPY_ONE("log2", log2),     GPY_ONE("log10", log10),
    GPY_ONE("log1p", log1p),   GPY_ONE("sin", sin),       GPY_ONE("cos", cos),
    GPY_ONE("tan", tan),       GPY_ONE("arcsin", asin),   GPY_ONE("arccos", acos),
    GPY_ONE("arctan", atan),   GPY_ONE("sinh", sinh),     GPY_ONE("cosh", cosh),
    GPY_ONE("arcsinh", asinh), GPY_ONE("arccosh", acosh), GPY_ONE("arctanh", atanh),
    GPY_ONE("cbrt", cbrt),     GPY_ONE("erf", erf),       GPY_ONE("erfc", erfc),
    GPY_TWO("arctan2", atan2), GPY_TWO("hypot", hypot),   GPY_TWO("power", pow),
};

}  // namespace

TileLoop number_loop(std::string_view name, DType type) {
  if (type != DType::kFloat64 && type != DType::kFloat32) return nullptr;
  for (const Row& row : kRows) {
    if (row.name == name) return type == DType::kFloat64 ? row.doubles : row.floats;
  }
  return nullptr;
}

}  // namespace gpy::rt
