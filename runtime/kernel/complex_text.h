#pragma once

// Complex numbers in the text of kernels: what CuPy's complex.cuh gives, and thrust's name for it.

#include <string_view>

namespace gpy::rt {

std::string_view complex_text();

}  // namespace gpy::rt
