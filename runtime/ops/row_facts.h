#pragma once

// What a row of ufuncs.def says of its operation beyond how it is computed: where scripts find it,
// how it is spoken of, and what it costs.

#include <array>
#include <cstdint>
#include <string_view>

#include "runtime/ops/ufunc.h"

namespace gpy::rt {

// Modules of scripts, joined by |.
using Modules = uint8_t;
inline constexpr Modules kNowhere = 0, kNumpy = 1, kCupy = 2, kGp = 4, kSpecial = 8;
inline constexpr Modules kArrayModules = kNumpy | kCupy | kGp;  // kSpecial: scipy.special and kin

struct RowFacts {
  Modules in = kArrayModules;                 // which modules have it
  std::array<std::string_view, 2> also = {};  // its other names there
  bool tells_types = false;                   // refusing text, NumPy names the operands' types
  int cost = 1;                               // of an element on the CPU, in additions, about
};

const RowFacts& facts_of(const Ufunc& ufunc);

}  // namespace gpy::rt
