#pragma once

// Shared memory whose size a launch gives, `extern __shared__ float x[];`: C++ has no such
// variable, so its declaration becomes one of a reference to the block's memory.

#include <string>

namespace gpy::rt {

// The source with these declarations rewritten, each line at its place.
std::string with_dynamic_shared(const std::string& source);

}  // namespace gpy::rt
