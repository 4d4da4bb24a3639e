#pragma once
// Values as text: the functions that f-strings, format(), str.format and % share.

#include <string>
#include <string_view>

#include "src/value.h"

namespace gpy {

// format(value, spec): through the type's format slot; without one, str(value) for an empty spec
// and TypeError for another.
std::string format_value(Interpreter& vm, const Value& value, std::string_view spec);
// text % arguments
std::string format_percent(Interpreter& vm, std::string_view text, const Value& arguments);
// bytes % arguments
std::string format_percent_bytes(Interpreter& vm, std::string_view data, const Value& arguments);

// repr of a float: the shortest digits that read back the same, in Python's form.
std::string real_to_text(double number);
// repr of a str: quotes chosen and escapes made as Python does.
std::string quoted(Interpreter& vm, std::string_view text);
// The text with all characters beyond ASCII as \\x, \\u or \\U escapes, like ascii().
std::string ascii_only(Interpreter& vm, std::string_view text);
// The escape of one character.
std::string escaped(char32_t c);

}  // namespace gpy
