#pragma once
// Numbers of rounds: GPY_TEST_ENDS is the number of interpreters that are made and closed, and the
// others follow from it.

#include <algorithm>
#include <cstdlib>

namespace gpy::test {

inline int interpreters() {
  const char* asked = std::getenv("GPY_TEST_ENDS");
  return asked && *asked ? std::atoi(asked) : 1000;
}
inline int exits() { return std::max(40, interpreters() / 100); }
inline int forks() { return std::max(20, interpreters() / 1000); }

}  // namespace gpy::test
