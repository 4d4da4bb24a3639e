#pragma once

// Snippets that CPython accepts, with the trees that it makes of them.

#include <string>

namespace gpy::syntax {

struct Snippet {
  std::string text;
  bool has_positions;
  std::string tree;
};

inline const Snippet kSnippets[] = {
#include "ast_corpus.inc"
};

}  // namespace gpy::syntax
