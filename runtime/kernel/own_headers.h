#pragma once

// Headers that users' CUDA sources include and gpy has texts of its own for: CuPy's complex
// numbers, and cuComplex.h where CUDA's is not there or not wanted.

#include <string>

namespace gpy::rt {

// The source with the texts for what it includes; its lines keep their numbers. `host`: none of
// CUDA's headers are there. `translate_complex`: cuComplex.h stands for CuPy's complex numbers.
std::string with_own_headers(const std::string& source, bool host, bool translate_complex);

}  // namespace gpy::rt
