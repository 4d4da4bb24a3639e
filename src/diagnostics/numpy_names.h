#pragma once
// Names of NumPy's that gpy lacks, so that they are not told as misspelt ones.

#include <string_view>

namespace gpy {

// As they stand below numpy: "fft", "linalg.eig".
bool is_missing_of_numpy(std::string_view name);

}  // namespace gpy
