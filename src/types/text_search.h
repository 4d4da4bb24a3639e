#pragma once
// Finding text in text, in time that grows with the sum of their lengths whatever they are; what
// counts or replaces looks for interrupts and limits at each place found.

#include <cstring>
#include <string>
#include <string_view>

#include "src/value.h"

namespace gpy {

inline size_t find_text(std::string_view text, std::string_view wanted, size_t from = 0) {
  if (from > text.size()) return text.npos;
  const void* found = memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  if (!found) return text.npos;
  return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

enum class Direction { forward, backward };

// The first or the last place; npos: none.
inline size_t find_text(std::string_view text, std::string_view wanted, Direction direction) {
  return direction == Direction::forward ? find_text(text, wanted) : text.rfind(wanted);
}

// How often `wanted`, which is not empty, occurs, without overlap.
int64_t count_text(Interpreter& vm, std::string_view text, std::string_view wanted);
// With `with` for the first `most` occurrences of `old`, which is not empty.
std::string replace_text(Interpreter& vm, std::string_view text, std::string_view old,
                         std::string_view with, int64_t most);

// Whether a search that begins at `start` begins beyond the end: not even "" is found there.
bool starts_beyond(Interpreter& vm, const Value& start, int64_t length);

}  // namespace gpy
