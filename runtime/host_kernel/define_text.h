#pragma once

// Macros that a kernel's options define. On the command line they would change the text around the
// user's own as well, where names such as T and A stand for something else.

#include <span>
#include <string>

namespace gpy::rt {

// The user's text with each "-DNAME=VALUE" of the options defined before it and undefined after it.
std::string with_defines(const std::string& source, std::span<const std::string> options);

}  // namespace gpy::rt
