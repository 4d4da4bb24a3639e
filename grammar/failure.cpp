#include "grammar/failure.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "grammar/hints.h"
#include "grammar/scan.h"

namespace gpy::syntax {
namespace {

char closer_of(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

const char* end_of(const SourceFile& source) { return source.text().data() + source.text().size(); }

SyntaxError bad_closer(const SourceFile& source, uint32_t offset,
                       std::span<const OpenBracket> brackets) {
  char closer = source.text()[offset];
  Span span{offset, offset + 1};
  if (brackets.empty()) return make_error(span, fmt::format("unmatched '{}'", closer));
  const OpenBracket& opener = brackets.back();
  int line = source.line_of(opener.offset);
  std::string where = line == source.line_of(offset) ? "" : fmt::format(" on line {}", line);
  auto message = fmt::format("closing parenthesis '{}' does not match opening parenthesis '{}'{}",
                             closer, opener.open, where);
  return with_note(make_error(span, std::move(message)), {opener.offset, opener.offset + 1},
                   "opened here");
}

SyntaxError bad_character(uint32_t offset, const char* at, CodePoint point) {
  auto code = static_cast<uint32_t>(point.value);
  std::string message = is_printable(point.value)
                            ? fmt::format("invalid character '{}' (U+{:04X})",
                                          std::string_view(at, point.length), code)
                            : fmt::format("invalid non-printable character U+{:04X}", code);
  return with_hint(make_error({offset, offset + point.length}, std::move(message)),
                   look_alike_hint(point.value));
}

std::optional<SyntaxError> find_left_out_word(std::string_view word, Span span) {
  if (word == "async") {
    return with_hint(make_error(span, "gpy has no 'async'"),
                     "write a plain 'def', 'for' or 'with'");
  }
  if (word == "await") {
    return with_hint(make_error(span, "gpy has no 'await'"), "call the function directly");
  }
  return std::nullopt;
}

// Walks over tokens and keeps track of open brackets.
class BracketScan {
 public:
  BracketScan(const SourceFile& source, std::span<const OpenBracket> brackets)
      : end_(end_of(source)), target_(brackets.size()) {
    for (const OpenBracket& bracket : brackets) open_.push_back(bracket.open);
  }

  bool closes_from(const char* at) {
    while (at < end_ && open_.size() >= target_) at = step(at);
    return open_.size() < target_;
  }

 private:
  const char* step(const char* at) {
    if (*at == '#') return std::find(at, end_, '\n');
    if (auto start = string_start(at, end_); start.length) {
      const char* after = skip_string(at + start.length, end_, start);
      return after ? after : at + start.length;
    }
    if (const char* word = skip_identifier(at, end_); word != at) return word;
    if (is_opener(*at)) open_.push_back(*at);
    if (is_closer(*at) && !open_.empty() && closer_of(open_.back()) == *at) open_.pop_back();
    return at + 1;
  }

  const char* end_;
  size_t target_;
  std::vector<char> open_;
};

}  // namespace

SyntaxError make_error(Span span, std::string message, const char* kind) {
  return {kind, std::move(message), span, {}, {}};
}

SyntaxError with_hint(SyntaxError error, std::string hint) {
  error.hint = std::move(hint);
  return error;
}

SyntaxError with_note(SyntaxError error, Span place, std::string label) {
  error.notes.push_back({place, std::move(label)});
  return error;
}

Span token_at(const SourceFile& source, uint32_t offset) {
  const char* begin = source.text().data() + offset;
  const char* end = end_of(source);
  if (begin >= end) {
    uint32_t last = source.text().empty() ? 0 : static_cast<uint32_t>(source.text().size() - 1);
    return {last, last};
  }
  const char* at = skip_identifier(begin, end);
  if (auto start = string_start(begin, end); start.length) {
    const char* after = skip_string(begin + start.length, end, start);
    at = after ? after : begin + start.length;
  } else if (is_digit(*begin)) {
    while (at < end && (is_digit(*at) || is_ascii_letter(*at) || *at == '.')) ++at;
  } else if (at == begin) {
    at += std::max(operator_length(begin, end), *begin == '\n' ? 0 : 1);
  }
  return {offset, offset + static_cast<uint32_t>(at - begin)};
}

bool begins_operand(const SourceFile& source, uint32_t offset) {
  auto rest = source.text().substr(offset);
  if (rest.empty()) return false;
  const char* begin = rest.data();
  const char* word_end = skip_identifier(begin, end_of(source));
  if (word_end == begin) {
    return is_digit(rest[0]) || is_opener(rest[0]) || rest[0] == '"' || rest[0] == '\'' ||
           rest[0] == '~';
  }
  std::string_view word(begin, word_end - begin);
  constexpr auto kOperands = std::to_array<std::string_view>({"None", "True", "False", "lambda"});
  return !is_keyword(word) ||
         std::find(kOperands.begin(), kOperands.end(), word) != kOperands.end();
}

std::optional<SyntaxError> find_bad_token(const SourceFile& source, uint32_t offset,
                                          std::span<const OpenBracket> brackets) {
  const char* at = source.text().data() + offset;
  const char* end = end_of(source);
  if (at >= end) return std::nullopt;
  if (is_closer(*at)) {
    bool matches = !brackets.empty() && closer_of(brackets.back().open) == *at;
    return matches ? std::nullopt : std::optional(bad_closer(source, offset, brackets));
  }
  if (auto start = string_start(at, end); start.length) {
    if (skip_string(at + start.length, end, start)) return std::nullopt;
    return unterminated_string(source, offset, start);
  }
  if (const char* word = skip_identifier(at, end); word != at) {
    return find_left_out_word({at, static_cast<size_t>(word - at)}, token_at(source, offset));
  }
  if (*at == '\\') {
    return with_hint(
        make_error({offset, offset + 1}, "unexpected character after line continuation character"),
        "'\\' must be the last character of its line");
  }
  auto point = decode_utf8(at, end);
  bool is_strange = point.length > 1 || (point.value < ' ' && *at != '\n');
  return is_strange ? std::optional(bad_character(offset, at, point)) : std::nullopt;
}

std::optional<SyntaxError> find_bad_token_in_line(const SourceFile& source, uint32_t offset,
                                                  std::vector<OpenBracket> brackets) {
  std::string_view text = source.text();
  while (offset < text.size() && text[offset] != '\n' && text[offset] != '#') {
    char c = text[offset];
    bool is_plain = is_blank(c) || c == '\\' || is_ascii_letter(c);
    if (is_closer(c) || c == '"' || c == '\'') {
      if (auto bad = find_bad_token(source, offset, brackets)) return bad;
    }
    if (is_opener(c)) brackets.push_back({c, offset});
    if (is_closer(c)) brackets.pop_back();
    offset = is_plain && !is_ascii_letter(c) ? offset + 1
                                             : std::max(token_at(source, offset).end, offset + 1);
  }
  return std::nullopt;
}

bool is_never_closed(const SourceFile& source, uint32_t offset,
                     std::span<const OpenBracket> brackets) {
  if (brackets.empty()) return false;
  return !BracketScan(source, brackets).closes_from(source.text().data() + offset);
}

// Whether the last such quote before `offset` stands between letters, as an apostrophe does.
static bool follows_apostrophe(const SourceFile& source, uint32_t offset) {
  auto line = source.text({source.line_start(source.line_of(offset)), offset});
  size_t last = line.rfind(source.text()[offset]);
  if (last == line.npos || last == 0 || last + 1 == line.size()) return false;
  return is_ascii_letter(line[last - 1]) && is_ascii_letter(line[last + 1]);
}

static std::string hint_of_unterminated(const SourceFile& source, uint32_t offset,
                                        const StringStart& start) {
  if (start.is_triple) return fmt::format("close it with {}", std::string(3, start.quote));
  if (start.length == 1 && follows_apostrophe(source, offset)) {
    char other = start.quote == '"' ? '\'' : '"';
    return fmt::format("a {} inside a string needs {} around the string", start.quote, other);
  }
  return fmt::format("close it with {0}, or write {0}{0}{0} for a string of several lines",
                     start.quote);
}

SyntaxError unterminated_string(const SourceFile& source, uint32_t offset,
                                const StringStart& start) {
  int line = source.line_of(offset);
  Span place{offset, offset + start.length};
  int last = source.line_of(static_cast<uint32_t>(source.text().size()) - 1);
  if (!start.is_triple) {
    place.end = source.line_start(line) + static_cast<uint32_t>(source.line(line).size());
    last = line;
  }
  auto message = fmt::format("unterminated {}string literal (detected at line {})",
                             start.is_triple ? "triple-quoted " : "", last);
  return with_hint(make_error(place, std::move(message)),
                   hint_of_unterminated(source, offset, start));
}

SyntaxError never_closed(const SourceFile& source, const OpenBracket& bracket, uint32_t offset) {
  Span opener{bracket.offset, bracket.offset + 1};
  auto error = make_error(opener, fmt::format("'{}' was never closed", bracket.open));
  Span token = token_at(source, offset);
  bool is_elsewhere =
      token.begin < token.end && source.line_of(offset) > source.line_of(opener.begin);
  if (!is_elsewhere) return error;
  return with_note(std::move(error), token, fmt::format("'{}' is still open here", bracket.open));
}

}  // namespace gpy::syntax
