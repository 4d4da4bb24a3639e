#pragma once
// Golden diagnostics: FILE.gpy beside FILE.txt, the text on the error stream when it runs.

#include <string>

#include "tests/runner/run_script.h"

namespace gpy::test {

// Whether there is a stand-in for the GPUs' driver, and a compiler for their kernels.
[[nodiscard]] bool can_fake_gpus();

// The differences, or empty. `accept` writes the golden file instead.
[[nodiscard]] std::string check_golden(ScriptRunner& runner, const Script& script, bool accept);

}  // namespace gpy::test
