#include "runtime/kernel/checks/pointer_expressions.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/kernel/checks/pointer_declaration.h"
#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

class Rewriter {
 public:
  Rewriter(const std::vector<SourceWord>& words, const std::set<std::string>& names,
           SourceChanges& changes)
      : words_(words), names_(names), changes_(changes) {}

  void rewrite() {
    for (size_t i = 1; i + 2 < words_.size(); ++i) {
      if (word(i) == "&" && word(i - 1) != "&" && is_before_operand(word(i - 1))) address(i);
      if (word(i) == "(") cast(i);
    }
  }

 private:
  std::string_view word(size_t i) const { return i < words_.size() ? words_[i].text : ""; }
  bool is_checked(size_t i) const { return names_.contains(std::string(word(i))); }
  void replace(size_t i, std::string text) {
    changes_.replace(words_[i].at, words_[i].at + words_[i].text.size(), std::move(text));
  }

  // Whether an & or a bracket behind this word begins an operand.
  static bool is_before_operand(std::string_view before) {
    return before == "return" ||
           (!is_name_char(before[0]) && before != ")" && before != "]" && before != "}");
  }
  // Whether what ends before the word `i` is only a part: `x[i].y`, `x->y`, `f(x)[i]`.
  bool goes_on(size_t i) const {
    return word(i) == "." || word(i) == "[" || word(i) == "(" ||
           (word(i) == "-" && word(i + 1) == ">");
  }

  // The brackets of `&x[i][j]` at the word `i`: where the last one opens and closes.
  struct Element {
    size_t open, close;
  };
  // False where it is of another form.
  bool read_element(size_t i, Element& out) const {
    if (word(i) != "&" || word(i + 2) != "[" || !is_checked(i + 1)) return false;
    out = {i + 2, closing_word(words_, i + 2)};
    while (word(out.close + 1) == "[") out = {out.close + 1, closing_word(words_, out.close + 1)};
    return out.close < words_.size() && !goes_on(out.close + 1);
  }

  // `&x[i]` may be the end of an array, which is no access: `(x + (i))`. From `&x[i][j]` on one may
  // walk over the rows behind.
  void address(size_t i) {
    Element element{};
    if (!read_element(i, element)) return;
    const bool is_of_rows = element.open != i + 2;
    replace(i, is_of_rows ? fmt::format("_gpy_walk_over({}, ", word(i + 1)) : "(");
    replace(element.open, "+(");
    replace(element.close, "))");
  }

  // `(float4*)x`, `(float4*)(x + n)`, `(float4*)&x[i]`.
  void cast(size_t open) {
    const size_t close = closing_word(words_, open);
    if (close >= words_.size() || !is_before_operand(word(open - 1))) return;
    const auto pointer = read_pointer(words_, open + 1, close);
    if (!pointer || !pointer->name.empty()) return;
    const size_t end = end_of_operand(close + 1);
    if (end == close + 1) return;
    changes_.replace(words_[open].at, words_[close].at + 1,
                     fmt::format("_gpy_c_cast<{}*>(", pointer->type));
    changes_.insert(words_[end - 1].at + words_[end - 1].text.size(), ")");
    address(close + 1);
  }

  // One past the operand of a cast that begins at the word `i`; `i` where it is not checked.
  size_t end_of_operand(size_t i) const {
    Element element{};
    if (read_element(i, element)) return element.close + 1;
    if (is_checked(i)) return goes_on(i + 1) ? i : i + 1;
    if (word(i) != "(") return i;
    const size_t close = closing_word(words_, i);
    if (close >= words_.size() || goes_on(close + 1)) return i;
    for (size_t k = i + 1; k < close; ++k) {
      if (is_checked(k) && !goes_on(k + 1)) return close + 1;
    }
    return i;
  }

  const std::vector<SourceWord>& words_;
  const std::set<std::string>& names_;
  SourceChanges& changes_;
};

}  // namespace

void rewrite_pointer_expressions(const std::vector<SourceWord>& words,
                                 const std::set<std::string>& names, SourceChanges& changes) {
  Rewriter(words, names, changes).rewrite();
}

}  // namespace gpy::rt
