#pragma once

// Bytes that somebody else wrote, on their way into messages, which are UTF-8.

#include <string>
#include <string_view>

namespace gpy::rt {

// Text of other programs, or of users' code, as UTF-8: bytes that are none become "\xff".
std::string backslash_replace(std::string_view bytes);

}  // namespace gpy::rt
