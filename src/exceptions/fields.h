#pragma once
// Fields of some kinds of exceptions beside their arguments: names and places, as attributes.

#include <string>

#include "src/interpreter.h"

namespace gpy {

// The field of that name; undefined where it is not set. The returned value keeps it alive if a
// script's own code, which runs while it is shown, sets another one.
Value own_attribute(const Exception* e, Str* name);
// Sets the fields that the kind's arguments and keywords give; TypeError for what does not fit.
void fill_fields(Interpreter& vm, Exception* e, Dict& keywords);
// Whether the kind has a field of that name, which is None where it was not set.
bool has_field(Interpreter& vm, Exception* e, std::string_view name);
// "invalid syntax (script.gpy, line 3)"
std::string syntax_error_message(Interpreter& vm, Exception* e);
// "'ascii' codec can't encode character '\xe9' in position 0: ordinal not in range(128)"
std::string unicode_error_message(Interpreter& vm, Exception* e);
// Raises UnicodeDecodeError or UnicodeEncodeError: `object` does not fit from `start` to `end`.
[[noreturn]] void raise_unicode_error(Interpreter& vm, Type* type, std::string_view encoding,
                                      const Value& object, size_t start, size_t end,
                                      std::string_view reason);

// TYPE(*args) of a native type that does not interpret its arguments; undefined for other types.
Value make_plain_exception(Interpreter& vm, Type* type, std::span<const Value> args);

}  // namespace gpy
