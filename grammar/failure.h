#pragma once

// The exception of a parse, and the examination of a failure's place to find the best message.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grammar/parse.h"
#include "grammar/scan.h"

namespace gpy::syntax {

struct OpenBracket {
  char open;
  uint32_t offset;
};

// Caught in parse.cpp.
struct Failure {
  SyntaxError error;
  bool is_open = false;        // more text could complete the input
  bool is_only_block = false;  // not if a blank line has ended the block or decorator
  std::string last_hint = {};  // the hint if no better one is found
};

[[nodiscard]] SyntaxError make_error(Span span, std::string message,
                                     const char* kind = "SyntaxError");
[[nodiscard]] SyntaxError with_hint(SyntaxError error, std::string hint);
[[nodiscard]] SyntaxError with_note(SyntaxError error, Span place, std::string label);

// The token at `offset`, for underlining; at the end of the source, the end of its last line.
[[nodiscard]] Span token_at(const SourceFile& source, uint32_t offset);

// Whether an expression may begin at `offset`.
[[nodiscard]] bool begins_operand(const SourceFile& source, uint32_t offset);

// Finds a token at `offset` that is wrong in any context: a string without end, a bracket that
// does not match, a character that is not in the language.
[[nodiscard]] std::optional<SyntaxError> find_bad_token(const SourceFile& source, uint32_t offset,
                                                        std::span<const OpenBracket> brackets);

// The first such token of the rest of the line, with the brackets in between taken into account.
[[nodiscard]] std::optional<SyntaxError> find_bad_token_in_line(const SourceFile& source,
                                                                uint32_t offset,
                                                                std::vector<OpenBracket> brackets);

// Whether the innermost of `brackets` is still open at the end of the source, scanning on from
// `offset`.
[[nodiscard]] bool is_never_closed(const SourceFile& source, uint32_t offset,
                                   std::span<const OpenBracket> brackets);

[[nodiscard]] SyntaxError unterminated_string(const SourceFile& source, uint32_t offset,
                                              const StringStart& start);
// `offset` is the place where that was noticed.
[[nodiscard]] SyntaxError never_closed(const SourceFile& source, const OpenBracket& bracket,
                                       uint32_t offset);

}  // namespace gpy::syntax
