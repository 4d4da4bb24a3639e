#pragma once
// Names of the operating system, which are bytes that need not be UTF-8, as texts of the language.
// Malformed bytes enter as surrogates (PEP 383) and leave as the same bytes.

#include <string>
#include <string_view>

#include "src/value.h"

namespace gpy {

Value text_from_system(Interpreter& vm, std::string_view bytes);
// UnicodeEncodeError for a surrogate that stands for no byte.
std::string bytes_for_system(Interpreter& vm, std::string_view text);

}  // namespace gpy
