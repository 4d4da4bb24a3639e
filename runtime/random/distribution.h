#pragma once

// The rows of distributions.def, and the parameters of one draw.

#include <array>
#include <cstdint>

namespace gpy::rt {

enum class Distribution : uint8_t {
#define DISTRIBUTION(name, ...) name,
#include "runtime/random/distributions.def"
#undef DISTRIBUTION
  standard_gamma,  // whose signatures differ
};

// Of up to three parameters the float64s or int64s: one for each element, or one for all.
struct Parameters {
  std::array<const void*, 3> at = {};
  bool single = true;
};

// RandomState makes normal draws in pairs; this is the other one of the last pair.
struct SpareNormal {
  bool has = false;
  double value = 0;
};

}  // namespace gpy::rt
