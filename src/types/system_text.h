#pragma once
// What the operating system calls things: bytes that need not be UTF-8, as texts of the language.
// Bytes that are none enter as surrogates (PEP 383) and leave as what they were.

#include <string>
#include <string_view>

#include "src/value.h"

namespace gpy {

Value text_from_system(Interpreter& vm, std::string_view bytes);
// UnicodeEncodeError for a surrogate that stands for no byte.
std::string bytes_for_system(Interpreter& vm, std::string_view text);

}  // namespace gpy
