#pragma once

// Launches in a kernel's text, which C++ has no syntax for (child_launches.h has what becomes of
// them).

#include <string>
#include <string_view>

namespace gpy::rt {

// The text with `child<<<grid, block, shared, stream>>>(x)` as C++.
std::string with_child_launches(const std::string& source);

// What that C++ calls; empty for a text without.
std::string_view child_launch_text(std::string_view translated);

}  // namespace gpy::rt
