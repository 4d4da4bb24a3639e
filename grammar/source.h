#pragma once

// One text to parse, and the lines and columns of places in it. Offsets are bytes; lines and
// columns are computed only when somebody asks, so that nodes carry two integers and no more.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gpy::syntax {

// Bytes [begin, end) of a source.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// Both count from 1; the column counts characters (code points), not bytes.
struct Position {
  int line = 1;
  int column = 1;
};

// The text as the parser sees it: UTF-8, without a byte order mark, "\n" at each line's end (the
// last line's too).
class SourceFile {
 public:
  // `name` is what messages call it ("script.gpy", "<stdin>"). Translates "\r\n" and "\r".
  SourceFile(std::string name, std::string text);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::string_view text(Span span) const {
    return std::string_view(text_).substr(span.begin, span.end - span.begin);
  }

  [[nodiscard]] int line_count() const { return static_cast<int>(line_starts_.size()); }
  [[nodiscard]] int line_of(uint32_t offset) const;  // from 1
  [[nodiscard]] Position position(uint32_t offset) const;
  // The text of a line (from 1) without its newline.
  [[nodiscard]] std::string_view line(int number) const;
  [[nodiscard]] uint32_t line_start(int number) const { return line_starts_[number - 1]; }

 private:
  std::string name_;
  std::string text_;
  std::vector<uint32_t> line_starts_;
};

using SourcePtr = std::shared_ptr<const SourceFile>;

[[nodiscard]] inline SourcePtr make_source(std::string name, std::string text) {
  return std::make_shared<const SourceFile>(std::move(name), std::move(text));
}

}  // namespace gpy::syntax
