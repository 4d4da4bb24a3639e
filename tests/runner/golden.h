#pragma once
// Golden diagnostics: FILE.gpy beside FILE.txt, the text on the error stream when it runs.

#include <string>

namespace gpy::test {

// What differs, or empty. `accept` writes the golden file instead.
[[nodiscard]] std::string check_golden(const std::string& path, bool accept, double seconds);

}  // namespace gpy::test
