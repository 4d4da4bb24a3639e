#pragma once

// The tokens of a C++ text, for what reads a user's kernel without being a compiler. Macros are not
// expanded; comments and literals are none. Lines under a condition that asks only for
// names that are known, of the text or of CUDA's compilers, are read as it decides.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpy::rt {

struct Token {
  std::string_view text;
  size_t begin, end;  // in the source
  bool is_name;
  int match = -1;  // of a bracket: the token of the other one
};

struct TokenRange {
  int begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

struct Directive {
  size_t begin, end;
  std::string_view text;  // without the #
};

struct SourceLineNumber {
  std::string file;
  int line;
};

class CppTokens {
 public:
  explicit CppTokens(const std::string& source);

  // Whether each bracket has its other one.
  bool balanced() const { return balanced_; }
  int count() const { return static_cast<int>(tokens_.size()); }
  const Token& operator[](int i) const { return tokens_[static_cast<size_t>(i)]; }
  // The text of a token; empty outside of the range.
  std::string_view at(int i) const { return i < 0 || i >= count() ? "" : (*this)[i].text; }
  bool is_name(int i) const { return i >= 0 && i < count() && (*this)[i].is_name; }
  // Whether a name stands behind a dot or an arrow, or in a scope that is told.
  bool is_member(int i) const;
  // One past template arguments that begin at `i`; `i` where they do not end before `last`.
  int after_template(int i, int last) const;
  // The first such mark outside of brackets and template arguments of calls; the end where none is.
  int find_outside_brackets(TokenRange range, std::string_view mark) const;

  const std::string& source() const { return source_; }
  const std::vector<Directive>& directives() const { return directives_; }
  // What #line directives say of an offset.
  SourceLineNumber line_of(size_t offset) const;

 private:
  void read_directive(size_t& at);
  void read_token(size_t& at);
  void read_condition(std::string_view text);
  std::optional<bool> holds(std::string_view condition) const;
  bool left_out() const;
  void match_brackets();

  struct LineMark {
    size_t offset;
    SourceLineNumber number;
  };

  const std::string& source_;
  std::string clean_;
  std::vector<Token> tokens_;
  std::vector<Directive> directives_;
  std::vector<LineMark> marks_;
  std::vector<std::optional<bool>> conditions_;  // that are open; nothing where one is not known
  std::set<std::string_view> defined_;
  bool balanced_ = true;
};

// =, += and their like.
bool is_assignment(std::string_view mark);
// ++ and --.
bool is_step(std::string_view mark);

}  // namespace gpy::rt
