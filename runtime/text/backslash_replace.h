#pragma once

// Bytes of other programs, prepared for messages, which are UTF-8.

#include <string>
#include <string_view>

namespace gpy::rt {

// Text of other programs, or of users' code, as UTF-8: bytes that are none become "\xff".
std::string backslash_replace(std::string_view bytes);

}  // namespace gpy::rt
