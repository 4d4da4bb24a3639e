#pragma once

// CUDA C++ source as words, and changes to it that leave each line where it is.

#include <string>
#include <string_view>
#include <vector>

namespace gpy::rt {

// A name or number, or one other character: comments, literals, directives and blanks are between
// them.
struct SourceWord {
  std::string_view text;
  size_t at;  // in the source
};

// `clean`: the source as without_comments gives it.
std::vector<SourceWord> source_words(std::string_view clean);

// The word that closes the bracket which `open` is; the number of words if none does.
size_t closing_word(const std::vector<SourceWord>& words, size_t open);

class SourceChanges {
 public:
  explicit SourceChanges(std::string_view source) : source_(source) {}

  // Puts `text` in the place of the part [begin, end), with as many line ends as that has. Parts
  // come in any order, and do not overlap.
  void replace(size_t begin, size_t end, std::string text);
  void insert(size_t at, std::string text) { replace(at, at, std::move(text)); }
  std::string result() const;

 private:
  struct Change {
    size_t begin, end;
    std::string text;
  };
  std::string_view source_;
  std::vector<Change> changes_;
};

}  // namespace gpy::rt
