#include "runtime/kernel/checks/checked_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "runtime/kernel/checks/check_text.h"
#include "runtime/kernel/checks/pointer_declaration.h"
#include "runtime/kernel/checks/pointer_expressions.h"
#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

class Rewriter {
 public:
  Rewriter(const std::string& source, bool all)
      : clean_(without_comments(source)),
        words_(source_words(clean_)),
        changes_(source),
        all_(all) {}

  CheckedSource rewrite() {
    for (size_t i = 0; i < words_.size(); ++i) {
      const std::string_view word = words_[i].text;
      if (word == "__global__") function(i, true);
      else if (all_ && word == "__device__") function(i, false);
      else if (word == "reinterpret_cast") changes_.insert(words_[i].at, "_gpy_");
      else if (word == "{" || word == "}") brace(i);
      else if (all_ && in_function() && begins_statement(i)) i = statement(i);
    }
    if (all_) rewrite_pointer_expressions(words_, checked_names_, changes_);
    out_.text = changes_.result();
    out_.names = std::make_shared<const ArrayNames>(std::move(names_));
    return std::move(out_);
  }

 private:
  std::string_view word(size_t i) const { return i < words_.size() ? words_[i].text : ""; }

  int name(std::string_view array) {
    checked_names_.insert(std::string(array));
    names_.emplace_back(array);
    return static_cast<int>(names_.size()) - 1;
  }

  // --- functions ---------------------------------------------------------------------------------

  // The function that is declared behind the word `mark`; of a template only a kernel's parameters
  // are known types for sure.
  void function(size_t mark, bool is_kernel) {
    if (!is_kernel && is_template(mark)) return;
    for (size_t i = mark + 1; i < words_.size(); ++i) {
      if (word(i) == ";" || word(i) == "{" || word(i) == "=") return;
      if (word(i) != "(") continue;
      const size_t close = closing_word(words_, i);
      if (close == words_.size()) return;
      const std::string_view before = word(i - 1);
      if (!(before.starts_with("__") && before.ends_with("__")) && is_plain_name(before))
        return parameters(std::string(before), i + 1, close, is_kernel);
      i = close;
    }
  }

  bool is_template(size_t mark) const {
    for (size_t i = mark; i-- > 0;) {
      const std::string_view before = word(i);
      if (before == ";" || before == "{" || before == "}") return false;
      if (before == "template") return true;
    }
    return false;
  }

  void parameters(const std::string& function, size_t begin, size_t end, bool is_kernel) {
    std::vector<int> numbers;
    for (size_t from = begin; from < end;) {
      const size_t to = end_of_parameter(from, end);
      numbers.push_back(parameter(from, to, is_kernel));
      from = to + 1;
    }
    if (is_kernel) out_.parameters.insert_or_assign(function, std::move(numbers));
  }

  size_t end_of_parameter(size_t from, size_t end) const {
    int depth = 0;
    for (size_t i = from; i < end; ++i) {
      const std::string_view each = word(i);
      if (each == "(" || each == "[" || each == "{" || each == "<") ++depth;
      if (each == ")" || each == "]" || each == "}" || each == ">") --depth;
      if (each == "," && depth == 0) return i;
    }
    return end;
  }

  int parameter(size_t from, size_t to, bool is_kernel) {
    const auto pointer = read_pointer(words_, from, to);
    if (!pointer) return -1;
    replace(from, to, fmt::format("_gpy_checked<{}> {}", pointer->type, pointer->name));
    checked_names_.insert(pointer->name);
    return is_kernel ? name(pointer->name) : -1;
  }

  void replace(size_t from, size_t to, std::string text) {
    changes_.replace(words_[from].at, words_[to - 1].at + words_[to - 1].text.size(),
                     std::move(text));
  }

  // --- what functions declare --------------------------------------------------------------------

  enum class Brace : uint8_t { kFunction, kType, kOther };

  void brace(size_t i) {
    if (word(i) == "}") {
      if (!braces_.empty()) braces_.pop_back();
      return;
    }
    braces_.push_back(kind_of_brace(i));
  }
  Brace kind_of_brace(size_t i) const {
    const std::string_view before = i > 0 ? word(i - 1) : "";
    for (size_t k = i; k-- > 0 && word(k) != ";" && word(k) != "{" && word(k) != "}";) {
      if (word(k) == "struct" || word(k) == "class" || word(k) == "union") return Brace::kType;
      if (word(k) == ")") break;
    }
    if (in_function() || before == ")" || before == "const" || before == "noexcept")
      return Brace::kFunction;
    return Brace::kOther;
  }
  bool in_function() const { return !braces_.empty() && braces_.back() == Brace::kFunction; }

  bool begins_statement(size_t i) const {
    const std::string_view before = i > 0 ? word(i - 1) : "";
    if (before == "(") return i > 1 && word(i - 2) == "for";
    return before == ";" || before == "{" || before == "}";
  }

  // Gives the last word that has been read.
  size_t statement(size_t i) {
    if (word(i) == "extern") return word(i + 1) == "__shared__" ? dynamic(i) : i;
    if (word(i) == "__shared__") return shared(i);
    if (is_plain_name(word(i)))
      return word(i) == "const" || is_plain_name(word(i + 1)) || word(i + 1) == "*" ||
                     word(i + 1) == "<" || word(i + 1) == ":"
                 ? local(i)
                 : i;
    return i;
  }

  // "_gpy_array<_gpy_array<float, (N), 2>, (3), 2>"
  static std::string checked_type(const ArrayDeclaration& array, int number) {
    std::string type = array.type;
    for (size_t axis = array.extents.size(); axis-- > 0;)
      type = fmt::format("_gpy_array<{}, ({}), {}>", type, array.extents[axis], number);
    return type;
  }

  static bool are_sized(const std::vector<ArrayDeclaration>& arrays) {
    return std::ranges::all_of(arrays, [](const ArrayDeclaration& array) {
      return std::ranges::none_of(array.extents, &std::string::empty);
    });
  }

  // `__shared__ float tile[16][17], sum;`, with alignments: a declaration for each.
  size_t shared(size_t i) {
    size_t from = i + 1;
    while (word(from) == "__align__" || word(from) == "alignas")
      from = closing_word(words_, from + 1) + 1;
    const auto arrays = read_arrays(words_, from);
    if (arrays.empty() || word(arrays.back().end) != ";" || !are_sized(arrays)) return i;
    const std::string storage = joined_words(words_, i, from) + " ";
    std::string text;
    for (const ArrayDeclaration& each : arrays) {
      const int number = name(each.name);
      text += fmt::format("{0}{1} {2}; _gpy_declare({2}, {3}); ", storage,
                          checked_type(each, number), each.name, number);
    }
    const size_t end = arrays.back().end;
    replace(i, end + 1, text);
    return end;
  }

  // `extern __shared__ float s[];` is declared under another name, and `s` points to it.
  size_t dynamic(size_t i) {
    size_t from = i + 2;
    while (word(from) == "__align__" || word(from) == "alignas")
      from = closing_word(words_, from + 1) + 1;
    const auto arrays = read_arrays(words_, from);
    if (arrays.size() != 1 || word(arrays[0].end) != ";") return i;
    const ArrayDeclaration* const array = arrays.data();
    if (array->extents.size() != 1 || !array->extents[0].empty()) return i;
    const int number = name(array->name);
    replace(array->end - 3, array->end, fmt::format("_gpy_raw_{}[]", array->name));
    changes_.insert(words_[array->end].at + 1,
                    fmt::format(" _gpy_checked<{0}> {1} = _gpy_dynamic_checked<{0}>(_gpy_raw_{1}, "
                                "{2});",
                                array->type, array->name, number));
    return array->end;
  }

  // `float x[4];`, `const float* p = x + 3;`, `float *p, *q;`
  size_t local(size_t i) {
    const auto arrays = read_arrays(words_, i);
    if (!arrays.empty()) return local_arrays(i, arrays);
    size_t end = i;
    while (end < words_.size() && word(end) != "=" && word(end) != ";" && word(end) != "(" &&
           word(end) != "{" && word(end) != "[" && word(end) != ",")
      ++end;
    const auto pointer = read_pointer(words_, i, end);
    if (!pointer || pointer->name.empty() || pointer->type == "auto") return i;
    const bool has_value = word(end) == "=";
    if (!has_value && (!is_type(pointer->type) || (word(end) != ";" && word(end) != ","))) return i;
    replace(i, end,
            fmt::format("_gpy_checked<{}> {}{}", pointer->type, pointer->name,
                        has_value ? "" : unset(pointer->name)));
    checked_names_.insert(pointer->name);
    more_pointers(end);
    return end - 1;
  }

  // A pointer that is not set points to nothing.
  std::string unset(std::string_view pointer) {
    return fmt::format("(nullptr, {{0, 0, {}, 0, nullptr}})", name(pointer));
  }

  // Of `float *p = x, *q = y;` those behind the first: they are of its type.
  void more_pointers(size_t i) {
    for (int depth = 0; i < words_.size() && word(i) != ";" && depth >= 0; ++i) {
      const std::string_view each = word(i);
      depth += each == "(" || each == "[" || each == "{" ? 1 : 0;
      depth -= each == ")" || each == "]" || each == "}" ? 1 : 0;
      if (depth != 0 || each != "," || word(i + 1) != "*") continue;
      size_t name = i + 2;
      while (word(name) == "const" || word(name).starts_with("__restrict")) ++name;
      replace(i + 1, name, "");
      if (word(name + 1) == "," || word(name + 1) == ";")
        changes_.insert(words_[name].at + words_[name].text.size(), unset(word(name)));
      checked_names_.insert(std::string(word(name)));
    }
  }

  size_t local_arrays(size_t i, const std::vector<ArrayDeclaration>& arrays) {
    const size_t end = arrays.back().end;
    const bool has_values = word(end) == "=";
    const bool has_array = std::ranges::any_of(
        arrays, [](const ArrayDeclaration& each) { return !each.extents.empty(); });
    if (!has_array || !are_sized(arrays)) return i;
    if (has_values && (word(end + 1) != "{" || arrays[0].extents.size() > 1)) return i;
    std::string text;
    for (const ArrayDeclaration& each : arrays)
      text += fmt::format("{}{} {}", text.empty() ? "" : "; ", checked_type(each, name(each.name)),
                          each.name);
    replace(i, end, text);
    return end - 1;
  }

  std::string clean_;
  std::vector<SourceWord> words_;
  SourceChanges changes_;
  bool all_;
  ArrayNames names_;
  std::set<std::string> checked_names_;
  std::vector<Brace> braces_;
  CheckedSource out_;
};

std::string with_checks(const std::string& code) {
  return std::string(check_text()) + "\n#line 1 \"<kernel>\"\n" + code;
}

}  // namespace

CheckedSource checked_source(const std::string& code, bool all) {
  CheckedSource out = Rewriter(code, all).rewrite();
  out.text = with_checks(out.text);
  return out;
}

CheckedSource watched_source(const std::string& code) {
  return {with_checks(code), std::make_shared<const ArrayNames>(), {}};
}

}  // namespace gpy::rt
