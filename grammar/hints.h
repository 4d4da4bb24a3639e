#pragma once

// Hints of what to write instead, found from the text around the place where a rule failed. Pure
// functions over the source: the parser's state stays in state.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/source.h"

namespace gpy::syntax {

// The place where a rule failed and what stands around it.
struct Scene {
  const SourceFile& source;
  Span token;   // where the rule failed
  Span before;  // the token before it; empty at the beginning of the source
  Span first;   // the first word of the line, if it begins with one
  Span value;   // the expression that ends just before `token`, if one does
  bool is_bracketed = false;

  [[nodiscard]] std::string_view text(Span span) const { return source.text(span); }
  [[nodiscard]] bool is_first() const { return token.begin == first.begin; }
  // The text from `offset` to the end of its line.
  [[nodiscard]] std::string_view rest_of_line(uint32_t offset) const;
};

[[nodiscard]] Scene make_scene(const SourceFile& source, uint32_t offset, uint32_t token_end);

struct Advice {
  std::string hint;
  std::optional<Span> place;  // a better place than the token's
};

// Finds habits of C, JavaScript, Ruby, MATLAB and older Pythons.
[[nodiscard]] std::optional<Advice> find_habit(const Scene& scene);

// Finds a keyword in the place of a name, a clause without its statement, a missing value.
[[nodiscard]] std::optional<Advice> find_slip(const Scene& scene);

// "write '\"' for '“'": for characters that look like others, else empty.
[[nodiscard]] std::string look_alike_hint(char32_t code);

// The keyword that `word` may be meant to be, nearest first; at most three.
[[nodiscard]] std::vector<std::string_view> near_keywords(std::string_view word);

// Whether `word` is `meant` but for one letter, or two that are exchanged.
[[nodiscard]] bool is_misspelling(std::string_view word, std::string_view meant);

// Whether a line's last token is ':'; a comment may follow.
[[nodiscard]] bool ends_with_colon(const SourceFile& source, int line);

// Whether a line that begins with `match` is a match statement.
[[nodiscard]] bool is_match_statement(const Scene& scene);

}  // namespace gpy::syntax
