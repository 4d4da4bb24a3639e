#pragma once

// The table of reductions and scans: identity, combine, finish, a row of reductions.def each.

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/core/dtype.h"

namespace gpy::rt {

struct ReductionLoop {
  DType in;   // what the reduced register must be
  DType out;
};

struct Reduction {
  std::string_view name;      // "add", "maximum", "argmax", "any", ...: a ufunc's name where it is one's reduce
  bool has_identity;          // else reducing nothing is a ValueError
  bool scans;                 // has an accumulate
  bool is_arg;                // the output is an index among the reduced elements, in C order
  std::span<const ReductionLoop> loops;
  uint16_t id;                // index into reductions()
};

std::span<const Reduction> reductions();
const Reduction* find_reduction(std::string_view name);

}  // namespace gpy::rt
