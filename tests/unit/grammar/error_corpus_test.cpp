// Text that CPython refuses is refused, as far as possible in its words and at its place.

#include "parsing.h"

namespace gpy::syntax {
namespace {

enum class Level { all, message, line, none };

struct Snippet {
  std::string text;
  Level level;
  std::string kind;
  std::string message;
  int line;
  int column;
};

const Snippet kSnippets[] = {
#include "error_corpus.inc"
};

void check(const Snippet& snippet) {
  auto source = make_source("test.gpy", snippet.text);
  auto result = parse(source);
  REQUIRE(result.error);
  const SyntaxError& error = *result.error;
  Position at = source->position(error.place.begin);
  INFO("gpy says: ", at.line, ":", at.column, " ", error.kind, ": ", error.message);
  if (snippet.level == Level::none) return;
  CHECK_EQ(at.line, snippet.line);
  if (snippet.level == Level::line) return;
  CHECK_EQ(error.kind, snippet.kind);
  CHECK_EQ(error.message, snippet.message);
  if (snippet.level == Level::all) CHECK_EQ(at.column, snippet.column);
}

TEST_CASE("errors are CPython's") {
  for (const Snippet& snippet : kSnippets) {
    CAPTURE(snippet.text);
    check(snippet);
  }
}

}  // namespace
}  // namespace gpy::syntax
