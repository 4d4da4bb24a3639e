#pragma once

// What kernels on the CPU get for CUDA's headers of narrow floats, cuda_fp16.h and cuda_bf16.h.

#include <string>

namespace gpy::rt {

// The types, operators and functions of both headers. Each operation is float's, rounded.
std::string half_text();

}  // namespace gpy::rt
