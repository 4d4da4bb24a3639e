#pragma once

#include <string_view>

namespace gpy::rt {

// runtime/ops/support as text, in support.h's order. Made at build time by embed.cmake.
std::string_view support_text();

}  // namespace gpy::rt
