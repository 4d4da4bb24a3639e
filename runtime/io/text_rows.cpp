#include "runtime/io/text_rows.h"

#include <algorithm>

#include "runtime/core/error.h"

namespace gpy::rt {
namespace {

bool is_newline(char c) { return c == '\n' || c == '\r'; }

[[noreturn]] void fail_incompatible(std::string_view a, std::string_view b) {
  fail(ErrorKind::kType, "The values for control characters '{}' and '{}' are incompatible", a, b);
}

// White space beyond ASCII, as UTF-8.
constexpr std::string_view kWideSpaces[] = {"\u0085", "\u00a0", "\u1680", "\u2000", "\u2001",
                                            "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
                                            "\u2007", "\u2008", "\u2009", "\u200a", "\u2028",
                                            "\u2029", "\u202f", "\u205f", "\u3000"};

bool is_white_space(std::string_view character) {
  return !character.empty() && white_space_size(character) == character.size();
}

void check_control(std::string_view name, std::string_view character) {
  if (character.size() != 1 || !is_newline(character[0])) return;
  fail(ErrorKind::kType, "control character '{}' cannot be a newline (`\\r` or `\\n`).", name);
}

void check_comment(const std::string& comment, const TextSyntax& syntax) {
  if (comment.empty()) {
    fail(ErrorKind::kValue,
         "comments cannot be an empty string. Use comments=None to disable comments.");
  }
  check_control("comment", comment);
  if (comment == syntax.delimiter) fail_incompatible("comment", "delimiter");
  if (syntax.delimiter.empty() && is_white_space(comment)) {
    fail_incompatible("delimiter", "comment");
  }
  if (syntax.quote && comment == std::string(1, *syntax.quote)) {
    fail_incompatible("comment", "quotechar");
  }
}

void check_quote(const std::string& quote, const TextSyntax& syntax) {
  check_control("quotechar", quote);
  if (syntax.delimiter == quote) fail_incompatible("quotechar", "delimiter");
  if (syntax.delimiter.empty() && is_white_space(quote)) {
    fail_incompatible("delimiter", "quotechar");
  }
  if (syntax.comments.size() > 1 || (!syntax.comments.empty() && syntax.comments[0].size() > 1)) {
    fail(ErrorKind::kValue,
         "when multiple comments or a multi-character comment is given, quotes are not supported.  "
         "In this case quotechar must be set to None.");
  }
}

}  // namespace

void check_syntax(const TextSyntax& syntax) {
  check_control("delimiter", syntax.delimiter);
  for (const std::string& comment : syntax.comments) check_comment(comment, syntax);
  if (syntax.quote) check_quote(std::string(1, *syntax.quote), syntax);
}

size_t white_space_size(std::string_view text) {
  if (text.empty()) return 0;
  const char c = text[0];
  if (c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f')) return 1;
  if (static_cast<unsigned char>(c) < 0x80) return 0;
  for (std::string_view space : kWideSpaces) {
    if (text.starts_with(space)) return space.size();
  }
  return 0;
}

std::string_view strip_white_space(std::string_view text) {
  while (size_t size = white_space_size(text)) text.remove_prefix(size);
  auto ends_in_space = [&](size_t size) {
    return text.size() >= size && white_space_size(text.substr(text.size() - size)) == size;
  };
  while (true) {
    size_t size = 1;
    while (size <= 3 && !ends_in_space(size)) ++size;
    if (size > 3) return text;
    text.remove_suffix(size);
  }
}

bool TextRows::at_line_end() const {
  if (rest_.empty() || is_newline(rest_[0])) return true;
  return std::any_of(syntax_.comments.begin(), syntax_.comments.end(),
                     [&](const std::string& comment) { return rest_.starts_with(comment); });
}

bool TextRows::at_field_end() const {
  if (at_line_end()) return true;
  if (!syntax_.delimiter.empty()) return rest_.starts_with(syntax_.delimiter);
  return white_space_size(rest_) > 0;
}

void TextRows::skip_white_space() {
  while (!rest_.empty() && !is_newline(rest_[0])) {
    const size_t size = white_space_size(rest_);
    if (size == 0) return;
    rest_.remove_prefix(size);
  }
}

void TextRows::skip_line_rest() {
  rest_.remove_prefix(std::min(rest_.find_first_of("\r\n"), rest_.size()));
  if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
  if (!rest_.empty()) rest_.remove_prefix(1);
}

void TextRows::skip_lines(int64_t count) {
  for (; count > 0 && !rest_.empty(); --count) skip_line_rest();
}

// Two quotes within quotes are one; what follows the closing quote belongs to the field.
std::string_view TextRows::read_quoted_field() {
  const char quote = *syntax_.quote;
  std::string& text = unquoted_.emplace_back();
  rest_.remove_prefix(1);
  ends_in_quotes_ = rest_.empty();
  while (!rest_.empty()) {
    const size_t end = std::min(rest_.find(quote), rest_.size());
    text += rest_.substr(0, end);
    ends_in_quotes_ = end == rest_.size();
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (rest_.empty() || rest_[0] != quote) break;
    text += quote;
    rest_.remove_prefix(1);
  }
  for (; !at_field_end(); rest_.remove_prefix(1)) text += rest_[0];
  return text;
}

std::string_view TextRows::read_field() {
  quoted_ = syntax_.quote && !rest_.empty() && rest_[0] == *syntax_.quote;
  if (quoted_) return read_quoted_field();
  const std::string_view start = rest_;
  while (!at_field_end()) rest_.remove_prefix(1);
  return start.substr(0, start.size() - rest_.size());
}

void TextRows::read_row(std::vector<std::string_view>& fields) {
  if (!syntax_.delimiter.empty()) {
    fields.push_back(read_field());
    while (!at_line_end()) {
      rest_.remove_prefix(syntax_.delimiter.size());
      fields.push_back(read_field());
    }
    const bool is_blank = fields.size() == 1 && fields[0].empty() && !quoted_;
    if (is_blank) fields.clear();
    return;
  }
  for (skip_white_space(); !at_line_end(); skip_white_space()) fields.push_back(read_field());
}

bool TextRows::next(std::vector<std::string_view>& fields) {
  fields.clear();
  unquoted_.clear();
  while (fields.empty() && !rest_.empty()) {
    read_row(fields);
    skip_line_rest();
    if (fields.empty() && !rows_before_blank_) rows_before_blank_ = count_;
  }
  if (fields.empty()) return false;
  ++count_;
  return true;
}

}  // namespace gpy::rt
