#include "grammar/kernel_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "grammar/scan.h"

namespace gpy::syntax {
namespace {

constexpr std::array<std::string_view, 4> kLabels = {"identity", "map", "reduce", "post"};

// Walks over C++ text element by element: comments, literals, directives, brackets, the rest.
class CppScan {
 public:
  CppScan(const char* at, const char* end) : at_(at), end_(end) {}

  [[nodiscard]] bool done() const { return at_ >= end_; }
  [[nodiscard]] const char* at() const { return at_; }
  [[nodiscard]] int braces() const { return braces_; }
  [[nodiscard]] int brackets() const { return braces_ + others_; }
  // Whether the scan is at the first element of a line.
  [[nodiscard]] bool is_line_start() const { return is_line_start_; }

  void step() {
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

 private:
  static bool is_word_character(char c) {
    return is_ascii_letter(c) || is_digit(c) || c == '_' || static_cast<signed char>(c) < 0;
  }

  [[nodiscard]] bool begins(std::string_view text) const {
    return std::string_view(at_, end_ - at_).starts_with(text);
  }

  void step_blank() {
    if (*at_ == '\n') is_line_start_ = true;
    ++at_;
  }

  void step_mark(char c) {
    if (c == '{') ++braces_;
    if (c == '}') --braces_;
    if (c == '(' || c == '[') ++others_;
    if (c == ')' || c == ']') --others_;
    ++at_;
  }

  // Skips to the newline that ends the logical line.
  void skip_line() {
    while (at_ < end_ && *at_ != '\n') at_ += begins("\\\n") ? 2 : 1;
  }

  void skip_past(std::string_view closing, size_t from) {
    std::string_view rest(at_, end_ - at_);
    size_t found = rest.find(closing, from);
    at_ = found == rest.npos ? end_ : at_ + found + closing.size();
  }

  // A literal that does not close on its logical line is left to the C++ compiler to report.
  void skip_quoted(char quote) {
    ++at_;
    while (at_ < end_ && *at_ != quote && *at_ != '\n') {
      at_ += *at_ == '\\' && at_ + 1 < end_ ? 2 : 1;
    }
    if (at_ < end_ && *at_ == quote) ++at_;
  }

  void skip_raw_string() {
    const char* open = std::find(at_, end_, '(');
    std::string closing = ")" + std::string(at_ + 1, open) + "\"";
    skip_past(closing, open - at_);
  }

  // A quote between two digits separates them.
  void skip_number() {
    while (at_ < end_ && (is_word_character(*at_) || *at_ == '.' || separates_digits())) ++at_;
  }

  [[nodiscard]] bool separates_digits() const {
    return *at_ == '\'' && at_ + 1 < end_ && is_word_character(at_[1]);
  }

  void skip_word() {
    const char* begin = at_;
    while (at_ < end_ && is_word_character(*at_)) ++at_;
    std::string_view word(begin, at_ - begin);
    constexpr std::string_view kRaw[] = {"R", "LR", "uR", "UR", "u8R"};
    bool is_raw = std::find(std::begin(kRaw), std::end(kRaw), word) != std::end(kRaw);
    if (is_raw && at_ < end_ && *at_ == '"') skip_raw_string();
  }

  std::string_view directive() {
    const char* word = std::find_if_not(at_ + 1, end_, is_blank);
    const char* word_end = std::find_if_not(word, end_, is_word_character);
    return {word, static_cast<size_t>(word_end - word)};
  }

  // Only the first branch of an #if is scanned: the branches of #else and #elif are skipped.
  void step_directive() {
    auto word = directive();
    at_ = word.data() + word.size();
    if (word == "else" || word.starts_with("elif")) skip_branches();
  }

  void skip_branches() {
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

  const char* at_;
  const char* end_;
  int braces_ = 0;
  int others_ = 0;
  bool is_line_start_ = true;
};

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\f\n";
  size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// Index of the label that `text` begins with, `label:` but not `label::`.
std::optional<size_t> label_at(std::string_view text) {
  for (size_t i = 0; i < kLabels.size(); ++i) {
    auto rest = text.substr(std::min(kLabels[i].size(), text.size()));
    if (text.starts_with(kLabels[i]) && rest.starts_with(':') && !rest.starts_with("::")) return i;
  }
  return std::nullopt;
}

struct Part {
  size_t label;
  const char* label_begin;
  const char* begin;  // the beginning of its text
};

std::vector<Part> find_parts(std::string_view text) {
  std::vector<Part> parts;
  const char* end = text.data() + text.size();
  for (CppScan scan(text.data(), end); !scan.done(); scan.step()) {
    if (!scan.is_line_start() || scan.brackets() != 0 || is_blank(*scan.at())) continue;
    if (auto label = label_at({scan.at(), static_cast<size_t>(end - scan.at())})) {
      parts.push_back({*label, scan.at(), scan.at() + kLabels[*label].size() + 1});
    }
  }
  return parts;
}

void check_start(std::string_view text, const std::vector<Part>& parts) {
  const char* first = parts.empty() ? text.data() + text.size() : parts.front().label_begin;
  for (CppScan scan(text.data(), first); !scan.done(); scan.step()) {
    std::string_view rest(scan.at(), first - scan.at());
    if (rest[0] != '\n' && !is_blank(rest[0]) && !rest.starts_with("//") &&
        !rest.starts_with("/*")) {
      throw PartsError{scan.at(),
                       "a reduction's text begins with 'identity:', 'map:', 'reduce:' or 'post:'"};
    }
  }
}

// The place of a label within a line, where it counts as text of the part before; null if none.
const char* find_within_line(std::string_view text, size_t label) {
  const char* end = text.data() + text.size();
  for (CppScan scan(text.data(), end); !scan.done(); scan.step()) {
    if (label_at({scan.at(), static_cast<size_t>(end - scan.at())}) == label) return scan.at();
  }
  return nullptr;
}

void check_all_there(std::string_view text, const ReductionParts& parts) {
  for (size_t i : {1, 2}) {
    if (!trim(parts[i]).empty()) continue;
    const std::string label = "'" + std::string(kLabels[i]) + ":'";
    const char* at = parts[i].data() ? nullptr : find_within_line(text, i);
    if (at)
      throw PartsError{at, "each part of a reduction begins a line: " + label + " is within one"};
    throw PartsError{nullptr, "a reduction needs " + label};
  }
}

}  // namespace

const char* find_closing_brace(const char* at, const char* end) {
  for (CppScan scan(at, end); !scan.done(); scan.step()) {
    if (*scan.at() == '}' && scan.braces() == 0) return scan.at();
  }
  return nullptr;
}

ReductionParts split_reduction(std::string_view text) {
  ReductionParts out;
  auto parts = find_parts(text);
  check_start(text, parts);
  for (size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    const char* end = i + 1 < parts.size() ? parts[i + 1].label_begin : text.data() + text.size();
    if (out[part.label].data()) {
      throw PartsError{part.label_begin,
                       "'" + std::string(kLabels[part.label]) + ":' appears twice"};
    }
    out[part.label] = trim({part.begin, static_cast<size_t>(end - part.begin)});
  }
  check_all_there(text, out);
  return out;
}

}  // namespace gpy::syntax
