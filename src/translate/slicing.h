#pragma once
// What an index with slices makes of an array or a list.

#include <optional>
#include <string>
#include <vector>

#include "src/translate/function_translator.h"

namespace gpy {

// By the numbers of support/arrays.h.
enum Part : int { kAt = 0, kWhole = 1, kNew = 2, kSlice = 4, kHasFirst = 8, kHasEnd = 16 };

// The parts of an index, one for each axis that they take or make, and their numbers.
struct FunctionTranslator::Slicing {
  std::vector<int> kinds;
  std::vector<TypedExpression> numbers;
  int taken = 0, made = 0;  // axes
  // An array of places or a mask, along an axis of what the rest of the index makes.
  std::optional<TypedExpression> places;
  int places_axis = 0;
  int runs = 0;  // of ints and arrays side by side
  bool in_run = false;

  void whole() {
    kinds.push_back(kWhole);
    ++taken, ++made;
  }
  void note_run(bool indexes) {
    runs += indexes && !in_run;
    in_run = indexes;
  }
  std::string symbol() const {
    std::string out = fmt::format("subscript<{}", made);
    for (const int each : kinds) out += fmt::format(", {}", each);
    return out + ">";
  }
};

}  // namespace gpy
