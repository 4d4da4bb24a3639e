#pragma once
// The long explanations of the errors' codes.

#include <span>
#include <string_view>

namespace gpy {

struct Explanation {
  std::string_view code;   // "S01"
  std::string_view title;  // one line
  std::string_view text;
};

std::span<const Explanation> explanations();
// Null for an unknown code; "s01" and "GPY-S01" are S01.
const Explanation* explanation_of(std::string_view code);

}  // namespace gpy
