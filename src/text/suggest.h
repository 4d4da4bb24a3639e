#pragma once
// "Did you mean": the known word nearest to a mistyped one.

#include <string>
#include <string_view>
#include <vector>

namespace gpy {

// Empty when none is near enough (the rule is CPython's: about one edit for each three letters; but
// two letters in the wrong order are one edit, and underscores around a word do not count).
std::string nearest_word(std::string_view wrong, const std::vector<std::string_view>& words);

// The same among the names of a module: they are so many that some are always near to a short one,
// so a match must have the same letters (np.lne, np.Sum).
std::string nearest_member(std::string_view wrong, const std::vector<std::string_view>& members);

// "Did you mean: 'x'?", empty where no word was found.
std::string did_you_mean(std::string_view word);

}  // namespace gpy
