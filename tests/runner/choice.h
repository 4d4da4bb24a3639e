#pragma once
// Scripts for tests that run many of them in other ways than the runner's, chosen by rule.

#include <string>
#include <vector>

namespace gpy::test {

// `count` of a folder's scripts among those that print the same in every run: not where they are,
// what time it is or what memory holds. The hash of its path chooses a script, so that a new script
// leaves the choice of the others as it is.
std::vector<std::string> choose_steady(const char* folder, size_t count);
// All steady scripts of a folder.
std::vector<std::string> find_steady(const char* folder);

}  // namespace gpy::test
