#pragma once
// A line of the source as it is shown, and marks under parts of it: indentation is taken off, tabs
// become spaces, wide characters take two columns, and a very long line is cut around what failed.

#include <string>
#include <string_view>
#include <vector>

#include "src/diagnostics/diagnostic.h"

namespace gpy {

class ShownLine {
 public:
  // `column`, from 1, will be marked.
  ShownLine(std::string_view line, int column);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  // The number of the terminal's columns that lie before a column of the source.
  int place(int column) const;
  int width() const { return places_.back(); }

 private:
  void show(std::string_view character);

  std::string text_;
  int first_ = 0;                  // code points of the source before the text
  std::vector<int> places_ = {0};  // of each code point, and the end
};

// Columns of the terminal, [from, to).
struct Mark {
  int from = 0, to = 0;
  int caret_from = 0, caret_to = 0;  // ^ there, ~ in the rest
};

// The mark for a range whose caret is part of it; from == to where a mark would say nothing, since
// it would cover the whole line.
Mark mark_of(const ShownLine& line, const SourceRange& range, const SourceRange& caret);

int display_width(std::string_view text);

}  // namespace gpy
