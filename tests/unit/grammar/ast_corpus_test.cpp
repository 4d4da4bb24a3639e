// The tree of each accepted snippet is CPython's, positions included.

#include "ast_corpus.h"
#include "parsing.h"

namespace gpy::syntax {
namespace {

TEST_CASE("trees are CPython's") {
  for (const Snippet& snippet : kSnippets) {
    CAPTURE(snippet.text);
    CHECK_EQ(dump_of(snippet.text, {.positions = snippet.has_positions}), snippet.tree);
  }
}

}  // namespace
}  // namespace gpy::syntax
