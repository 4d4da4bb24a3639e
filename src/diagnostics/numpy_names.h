#pragma once
// Names of NumPy's that gpy lacks, so that they are not reported as misspelt.

#include <string_view>

namespace gpy {

// Takes names below numpy: "fft", "linalg.eig".
bool is_missing_of_numpy(std::string_view name);

}  // namespace gpy
