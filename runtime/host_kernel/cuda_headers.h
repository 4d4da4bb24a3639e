#pragma once

// What stands for CUDA's own headers where a text for the CPU includes them: the C++ compiler need
// not have them, and could not read them.

#include <string>

namespace gpy::rt {

// The source with its includes of CUDA's headers as empty lines, and the text that replaces them.
struct HeadersReplaced {
  std::string source;
  std::string text;
};
// Throws kNotImplemented for a header of CUDA that has no replacement, named beside the kernel.
HeadersReplaced replace_cuda_headers(const std::string& source, const std::string& kernel);

}  // namespace gpy::rt
