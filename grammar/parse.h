#pragma once

// Source text to tree. The only interface of this floor; it hides the parser library.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grammar/ast.h"
#include "grammar/source.h"

namespace gpy::syntax {

enum class Mode {
  file,         // a script or module
  interactive,  // the text typed at a prompt so far: a blank last line ends a block
  expression,   // one expression
};

struct ParseOptions {
  Mode mode = Mode::file;
  // Nesting is bounded by this many bytes of stack, and by what the thread has left.
  size_t stack_bytes = 64 << 20;
};

enum class Completeness {
  complete,    // parsed; the tree is there
  incomplete,  // a prompt should read more lines; the error says what is open
  error,       // no further line can help
};

// A second place that explains the first: "opened here".
struct Note {
  Span place;
  std::string label;
};

struct SyntaxError {
  std::string kind;     // "SyntaxError", "IndentationError", "TabError"
  std::string message;  // CPython's text where it has one
  Span place;
  std::string hint;  // what to write instead, where one thing is likely; else empty
  std::vector<Note> notes;
};

struct ParseResult {
  std::unique_ptr<Tree> tree;  // set iff complete
  std::optional<SyntaxError> error;
  Completeness completeness = Completeness::error;
};

[[nodiscard]] ParseResult parse(SourcePtr source, const ParseOptions& options = {});

}  // namespace gpy::syntax
