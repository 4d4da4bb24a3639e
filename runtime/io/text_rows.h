#pragma once

// Splits text into rows of fields, as numpy.loadtxt does: by white space or at a delimiter, with
// comments and, if asked for, quotes.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpy::rt {

struct TextSyntax {
  std::string delimiter;  // one character; empty: runs of white space
  std::vector<std::string> comments = {"#"};
  std::optional<char> quote;
};

// Throws kType or kValue, in NumPy's words, for characters that cannot mean two things at once.
void check_syntax(const TextSyntax& syntax);

// The length of the white space character (in UTF-8) that the text starts with, or 0.
size_t white_space_size(std::string_view text);
std::string_view strip_white_space(std::string_view text);

class TextRows {
 public:
  TextRows(std::string_view text, const TextSyntax& syntax) : rest_(text), syntax_(syntax) {}

  // Skips lines as they are: comments and empty ones count.
  void skip_lines(int64_t count);
  // The next row that holds anything; false at the end. The fields live until the next call.
  bool next(std::vector<std::string_view>& fields);
  int64_t count() const { return count_; }  // of the rows that next() has found
  // How many rows came before the first line that holds nothing, of those that were read.
  std::optional<int64_t> rows_before_blank() const { return rows_before_blank_; }
  bool ends_in_quotes() const { return ends_in_quotes_; }  // the text is over, its quotes are open

 private:
  void read_row(std::vector<std::string_view>& fields);
  std::string_view read_field();
  std::string_view read_quoted_field();
  bool at_line_end() const;
  bool at_field_end() const;
  void skip_white_space();
  void skip_line_rest();

  std::string_view rest_;
  const TextSyntax& syntax_;
  std::deque<std::string> unquoted_;  // fields whose quotes are taken off
  bool quoted_ = false;               // whether the last field had quotes
  bool ends_in_quotes_ = false;
  int64_t count_ = 0;
  std::optional<int64_t> rows_before_blank_;
};

}  // namespace gpy::rt
