#pragma once

// Blanks, lines and indentation, as the rules ask for them.

#include "grammar/state.h"

namespace gpy::syntax {

// Skips blanks, continued lines and, inside brackets, newlines and comments.
[[nodiscard]] const char* skip_space(const State& state, const char* at);

// `at` is the start of a line. Gives the first token of the next line that is not empty, if it
// is exactly as deep as the current block; null if it is less deep or there is none.
// Fails if the line is deeper, or as deep as no open block.
[[nodiscard]] const char* next_in_block(State& state, const char* at);

// The end of the source, if only empty lines and comments are left; else `at`.
[[nodiscard]] const char* skip_empty_lines(State& state, const char* at);

// Enters the block that the next line begins, or fails because it begins none.
void enter_block(State& state, const char* at);
inline void leave_block(State& state) { state.layout.indents.pop_back(); }

// Whether the `(` at `at` opens the items of a `with` statement, `(a as b, c)` and then `:`.
[[nodiscard]] bool at_parenthesized_items(const State& state, const char* at);

// Whether the statement at `at` defines a kernel: `kernel`, a kind, a name, and one of `( { -> :`.
[[nodiscard]] bool at_kernel(const State& state, const char* at);

// Skips the text of a formatted string before the next brace or the closing quotes.
[[nodiscard]] const char* skip_literal_text(const State& state, const char* at);

}  // namespace gpy::syntax
