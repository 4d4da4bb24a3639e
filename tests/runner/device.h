#pragma once
// That a run on a GPU was one: scripts that never reach it must not pass for tests of it.

#include <string>

namespace gpy {
class Interpreter;
}

namespace gpy::test {

// Adds what this interpreter launched.
void count_launches(Interpreter& vm);
// Why the whole run does not count as one on `device`; empty: it does.
[[nodiscard]] std::string check_device(const std::string& device);

}  // namespace gpy::test
