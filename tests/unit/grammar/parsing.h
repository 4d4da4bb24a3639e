#pragma once

// Helpers of the grammar's tests.

#include <doctest/doctest.h>

#include <string>

#include "grammar/dump.h"
#include "grammar/parse.h"

namespace gpy::syntax {

inline ParseResult parse_text(std::string text, Mode mode = Mode::file,
                              size_t stack_bytes = ParseOptions().stack_bytes) {
  return parse(make_source("test.gpy", std::move(text)), {mode, stack_bytes});
}

// "2:5 SyntaxError: message", or "" if the text is accepted.
inline std::string error_of(const std::string& text, Mode mode = Mode::file) {
  auto source = make_source("test.gpy", text);
  auto result = parse(source, {mode});
  if (!result.error) return "";
  Position at = source->position(result.error->place.begin);
  return std::to_string(at.line) + ":" + std::to_string(at.column) + " " + result.error->kind +
         ": " + result.error->message;
}

// The tree's dump, or the error.
inline std::string dump_of(const std::string& text, const DumpOptions& options = {}) {
  auto result = parse_text(text);
  return result.tree ? dump(*result.tree, options) : error_of(text);
}

}  // namespace gpy::syntax
