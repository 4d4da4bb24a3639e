#pragma once

// The elements of C++ text, as far as a kernel's end and its parts need them.

#include <string_view>

namespace gpy::syntax {

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

  void step();

 private:
  [[nodiscard]] bool begins(std::string_view text) const;
  [[nodiscard]] bool separates_digits() const;
  [[nodiscard]] std::string_view directive() const;
  void step_blank();
  void step_mark(char c);
  void step_directive();
  void skip_line();
  void skip_past(std::string_view closing, size_t from);
  void skip_quoted(char quote);
  void skip_raw_string();
  void skip_number();
  void skip_word();
  void skip_branches();

  const char* at_;
  const char* end_;
  int braces_ = 0;
  int others_ = 0;
  bool is_line_start_ = true;
};

}  // namespace gpy::syntax
