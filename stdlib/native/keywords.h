#pragma once
// Python's reserved words.

#include <string_view>

namespace gpy::lib {

inline constexpr std::string_view kKeywords[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

inline bool is_keyword(std::string_view word) {
  for (std::string_view each : kKeywords) {
    if (each == word) return true;
  }
  return false;
}

}  // namespace gpy::lib
