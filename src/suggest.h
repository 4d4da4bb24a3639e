#pragma once
// "Did you mean": the known word nearest to a mistyped one.

#include <string>
#include <string_view>
#include <vector>

namespace gpy {

// Empty when none is near enough (the rule is CPython's: about one edit for each three letters).
std::string nearest_word(std::string_view wrong, const std::vector<std::string_view>& words);

}  // namespace gpy
