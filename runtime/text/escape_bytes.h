#pragma once

#include <string>
#include <string_view>

namespace gpy::rt {

// Text of other programs, or of users' code, as UTF-8: bytes that are none become "\xff".
std::string escape_bytes(std::string_view bytes);

}  // namespace gpy::rt
