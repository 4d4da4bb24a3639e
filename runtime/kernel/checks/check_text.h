#pragma once

// The text that checked kernels are written over, for NVRTC and for the host's compiler.

#include <string_view>

namespace gpy::rt {

// Before the user's text: pointers and arrays whose accesses are checked.
std::string_view check_text();

// The file that its lines are said to be of.
constexpr const char* kChecksFile = "<checks>";

// Whether a source has it: its other parts are then checked by the host's compiler too.
bool is_checked_text(std::string_view source);

// The variable of a GPU's module that keeps what a launch found.
constexpr const char* kFindingsVariable = "_gpy_findings";

}  // namespace gpy::rt
