#pragma once

// Number and string literals: their extent and their value.

#include <string>
#include <string_view>

#include "grammar/arena.h"
#include "grammar/ast.h"
#include "grammar/scan.h"

namespace gpy::syntax {

// An error in a literal: its place, and CPython's words for it.
struct LiteralError {
  const char* at;
  std::string message;
  std::string hint = {};
};

// End of the number at `at`, which begins with a digit or ".digit". Throws LiteralError.
[[nodiscard]] const char* skip_number(const char* at, const char* end);

// Sets kind and value from the text of a whole number. Throws LiteralError.
void read_number(std::string_view text, Arena& arena, Constant& out);

// The content of a string with its escapes resolved; the text itself when it has none.
// `text` must be in the source. Throws LiteralError.
[[nodiscard]] std::string_view decode_escapes(std::string_view text, bool is_bytes, Arena& arena);

void append_utf8(std::string& out, char32_t code);

}  // namespace gpy::syntax
