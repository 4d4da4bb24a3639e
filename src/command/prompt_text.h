#pragma once
// Lines as they are pasted and shown at a prompt.

#include <string>
#include <string_view>

namespace gpy::command {

// ">>> x" and "... x", as pages show sessions, become "x".
std::string without_prompt(std::string_view line);

}  // namespace gpy::command
