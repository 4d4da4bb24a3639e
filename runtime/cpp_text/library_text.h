#pragma once

// A text of C++ declarations, of which each program takes those that it uses: a compiler reads all
// that it is given, and of what the generated programs are written over they use little.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gpy::rt {

// The text is one that this tree has written: a macro that makes declarations is called at the
// beginning of a line, and pastes no names of others.
class LibraryText {
 public:
  // The text stays where it is.
  explicit LibraryText(std::string_view text);

  // What the text declares under names that `user` mentions, directly or through other parts, in
  // the order of the text; its conditions of the preprocessor, and its namespaces, are kept. A
  // function whose parameters, or a specialisation whose arguments, are of types that nobody
  // reaches is left out if there is another one of its name.
  std::string used_by(std::string_view user) const;

 private:
  struct Part {
    std::string_view text;
    bool always = false, is_type = false, is_operator = false;
    std::vector<int> declares, mentions, operands;  // numbers of names
  };
  class Reader;

  std::unordered_map<std::string_view, int> numbers_;  // of names
  std::vector<Part> parts_;
  std::vector<int> declared_;  // by a name's number: how many parts declare it
  std::vector<bool> types_;    // by a name's number: whether it is that of a struct
};

}  // namespace gpy::rt
