#pragma once

#include <string>
#include <string_view>

namespace gpy::rt {

// Python's repr of a UTF-8 string, for messages: quotes chosen and control characters escaped.
std::string string_repr(std::string_view text);

}  // namespace gpy::rt
