#include "grammar/cpp_scan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "grammar/scan.h"

namespace gpy::syntax {

static bool is_word_character(char c) {
  return is_ascii_letter(c) || is_digit(c) || c == '_' || static_cast<signed char>(c) < 0;
}

void CppScan::step() {
  char c = *at_;
  if (c == '\n' || is_blank(c)) return step_blank();
  bool was_line_start = std::exchange(is_line_start_, false);
  if (begins("\\\n")) {
    at_ += 2;
  } else if (begins("//")) {
    skip_line();
  } else if (begins("/*")) {
    skip_past("*/", 2);
  } else if (c == '"' || c == '\'') {
    skip_quoted(c);
  } else if (is_digit(c)) {
    skip_number();
  } else if (is_word_character(c)) {
    skip_word();
  } else if (c == '#' && was_line_start) {
    step_directive();
  } else {
    step_mark(c);
  }
}

bool CppScan::begins(std::string_view text) const {
  return std::string_view(at_, end_ - at_).starts_with(text);
}

void CppScan::step_blank() {
  if (*at_ == '\n') is_line_start_ = true;
  ++at_;
}

void CppScan::step_mark(char c) {
  if (c == '{') ++braces_;
  if (c == '}') --braces_;
  if (c == '(' || c == '[') ++others_;
  if (c == ')' || c == ']') --others_;
  ++at_;
}

// Skips to the newline that ends the logical line.
void CppScan::skip_line() {
  while (at_ < end_ && *at_ != '\n') at_ += begins("\\\n") ? 2 : 1;
}

void CppScan::skip_past(std::string_view closing, size_t from) {
  std::string_view rest(at_, end_ - at_);
  size_t found = rest.find(closing, from);
  at_ = found == rest.npos ? end_ : at_ + found + closing.size();
}

// A literal that does not close on its logical line is left to the C++ compiler to report.
void CppScan::skip_quoted(char quote) {
  ++at_;
  while (at_ < end_ && *at_ != quote && *at_ != '\n') {
    at_ += *at_ == '\\' && at_ + 1 < end_ ? 2 : 1;
  }
  if (at_ < end_ && *at_ == quote) ++at_;
}

void CppScan::skip_raw_string() {
  const char* open = std::find(at_, end_, '(');
  std::string closing = ")" + std::string(at_ + 1, open) + "\"";
  skip_past(closing, open - at_);
}

// A quote between two digits separates them.
void CppScan::skip_number() {
  while (at_ < end_ && (is_word_character(*at_) || *at_ == '.' || separates_digits())) ++at_;
}

bool CppScan::separates_digits() const {
  return *at_ == '\'' && at_ + 1 < end_ && is_word_character(at_[1]);
}

void CppScan::skip_word() {
  const char* begin = at_;
  while (at_ < end_ && is_word_character(*at_)) ++at_;
  std::string_view word(begin, at_ - begin);
  constexpr std::string_view kRaw[] = {"R", "LR", "uR", "UR", "u8R"};
  bool is_raw = std::find(std::begin(kRaw), std::end(kRaw), word) != std::end(kRaw);
  if (is_raw && at_ < end_ && *at_ == '"') skip_raw_string();
}

std::string_view CppScan::directive() const {
  const char* word = std::find_if_not(at_ + 1, end_, is_blank);
  const char* word_end = std::find_if_not(word, end_, is_word_character);
  return {word, static_cast<size_t>(word_end - word)};
}

// Only the first branch of an #if is scanned: the branches of #else and #elif are skipped.
void CppScan::step_directive() {
  auto word = directive();
  at_ = word.data() + word.size();
  if (word == "else" || word.starts_with("elif")) skip_branches();
}

void CppScan::skip_branches() {
  int depth = 1;
  while (depth > 0 && at_ < end_) {
    skip_line();
    at_ = std::find_if_not(at_, end_, [](char c) { return c == '\n' || is_blank(c); });
    if (at_ == end_ || *at_ != '#') continue;
    auto word = directive();
    if (word.starts_with("if")) ++depth;
    if (word == "endif") --depth;
  }
  skip_line();
}

}  // namespace gpy::syntax
