#pragma once
// Search for text in text, in time that grows with the sum of their lengths for any contents
// (backwards it may take longer), in pieces between which interrupts are checked; functions that
// count or replace check limits too at each place found.

#include <string>
#include <string_view>

#include "src/value.h"

namespace gpy {

// The first place of `wanted` from `from` on; npos: none.
size_t find_text(Interpreter& vm, std::string_view text, std::string_view wanted, size_t from = 0);
size_t find_last_text(Interpreter& vm, std::string_view text, std::string_view wanted);

enum class Direction { forward, backward };

// The first or the last place; npos: none.
size_t find_text(Interpreter& vm, std::string_view text, std::string_view wanted,
                 Direction direction);

// The number of occurrences of `wanted`, which is not empty, without overlap.
int64_t count_text(Interpreter& vm, std::string_view text, std::string_view wanted);
// The text with `with` for the first `most` occurrences of `old`, which is not empty.
std::string replace_text(Interpreter& vm, std::string_view text, std::string_view old,
                         std::string_view with, int64_t most);

// Whether a search that begins at `start` begins beyond the end: not even "" is found there.
bool starts_beyond(Interpreter& vm, const Value& start, int64_t length);

}  // namespace gpy
