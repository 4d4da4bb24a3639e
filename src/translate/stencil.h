#pragma once
// numba.stencil: a function of neighbours by offsets, run at each place of an array.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/translate/translation.h"

namespace gpy {

struct StencilFacts {
  Function* function;
  // The least and the greatest offset along each axis; nullopt: those that the function has.
  std::optional<std::vector<std::pair<int64_t, int64_t>>> neighborhood;
  std::vector<std::string> standard;  // parameters that are indexed as any array is
  Value border;                       // of places that lack neighbours; undefined: 0
};

// From a tuple (function, ((least, greatest), ...) or None, names, (border,) or ()).
StencilFacts stencil_facts(Interpreter& vm, const Value& spec);
// What an object of numba.stencil says of itself; undefined for other values.
Value stencil_spec(Interpreter& vm, const Value& value);

// The loops over the places of the first argument, as a program whose entry they are. `types`: of
// the function's arguments, and behind them perhaps of the array that takes the result.
TranslatedFunction translate_stencil(Interpreter& vm, const Value& spec,
                                     const std::vector<TypedType>& types);

}  // namespace gpy
