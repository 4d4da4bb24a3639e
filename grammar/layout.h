#pragma once

// Blanks, lines and indentation, as the rules ask for them.

#include "grammar/state.h"

namespace gpy::syntax {

// Past blanks, continued lines and, inside brackets, newlines and comments.
[[nodiscard]] const char* skip_space(const State& state, const char* at);

// `at` is where a line starts. The first token of the next line with something on it, if that line
// stands exactly as deep as the current block; null if it is less deep or there is none.
// Fails if it is deeper, or stands where no block does.
[[nodiscard]] const char* next_in_block(State& state, const char* at);

// The end, if nothing but empty lines and comments is left; else `at`.
[[nodiscard]] const char* skip_empty_lines(State& state, const char* at);

// Enters the block that the next line begins, or fails because it begins none.
void enter_block(State& state, const char* at);
inline void leave_block(State& state) { state.layout.indents.pop_back(); }

// At `(`: whether this is the list of items of a `with` statement, `(a as b, c)` and then `:`.
[[nodiscard]] bool at_parenthesized_items(const State& state, const char* at);

// At a statement: `kernel`, a kind, a name, and one of `( { -> :`.
[[nodiscard]] bool at_kernel(const State& state, const char* at);

// In a formatted string: past the text before the next brace or the closing quotes.
[[nodiscard]] const char* skip_literal_text(const State& state, const char* at);

}  // namespace gpy::syntax
