#include "runtime/kernel/global_variables.h"

#include <algorithm>
#include <array>

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {

namespace {

bool has_space_word(std::string_view text) {
  return text.find("__constant__") != text.npos || text.find("__device__") != text.npos ||
         text.find("__managed__") != text.npos;
}

// A declaration at the outermost level: the text up to its `;` or its body, and what ended it.
struct Declaration {
  std::string text;
  char end;
};

// The outermost level of a source, with what stands in braces left out, but for `extern "C" {`.
class OuterLevel {
 public:
  explicit OuterLevel(std::string_view text) : text_(text) {}

  std::vector<Declaration> read() {
    for (; at_ < text_.size(); ++at_) step(text_[at_]);
    return std::move(out_);
  }

 private:
  void step(char c) {
    if (c == '#' && is_blank()) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == ';') {
      end(c);
    } else if (c == '{' && current_.find("extern") != current_.npos && is_linkage()) {
      current_.clear();
    } else if (c == '{') {
      skip_braces();
    } else if (c != '}') {
      current_ += c;
    }
  }

  bool is_blank() const { return current_.find_first_not_of(" \t\r\n") == current_.npos; }

  // `extern "C"`, whose literal is blank here.
  bool is_linkage() const {
    const size_t first = current_.find_first_not_of(" \t\r\n");
    const size_t last = current_.find_last_not_of(" \t\r\n");
    return current_.substr(first, last + 1 - first) == "extern";
  }

  // A variable's braces belong to it, and it goes on to its `;`; others end a function, a type or a
  // namespace.
  void skip_braces() {
    for (int depth = 0; at_ < text_.size(); ++at_) {
      depth += text_[at_] == '{' ? 1 : text_[at_] == '}' ? -1 : 0;
      if (depth == 0) break;
    }
    const size_t value = current_.find_first_of("=[");
    const bool is_function = current_.find('(') < value;
    if (is_function || (value == current_.npos && !has_space_word(current_))) end('{');
  }

  void end(char c) {
    out_.push_back({std::move(current_), c});
    current_.clear();
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string current_;
  std::vector<Declaration> out_;
};

bool is_space_word(std::string_view word) {
  return word == "__constant__" || word == "__device__" || word == "__managed__";
}

// Words that say nothing of a variable's type.
bool is_specifier(std::string_view word) {
  constexpr std::array<std::string_view, 6> kWords = {"static", "extern",   "const",
                                                      "struct", "volatile", "constexpr"};
  return is_space_word(word) || std::ranges::find(kWords, word) != kWords.end();
}

// Reads the declarators of "float a[3], b = 1".
class Declarators {
 public:
  explicit Declarators(std::string_view text) : text_(text) {}

  std::vector<GlobalDeclaration> read() {
    while (at_ < text_.size()) step();
    finish();
    return std::move(out_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (is_name_char(c)) return read_word();
    if (c == '[') return read_extent();
    if (c == '<') return read_arguments();
    if (c == '=') return skip_value();
    if (c == ',') finish();
    ++at_;
  }

  void read_word() {
    const size_t start = at_;
    while (at_ < text_.size() && (is_name_char(text_[at_]) || text_[at_] == ':')) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (is_specifier(word)) return;
    if (!name_.empty()) type_ += (type_.empty() ? "" : " ") + name_;
    name_ = word;
  }

  void read_extent() {
    const size_t end = std::min(text_.find(']', at_), text_.size());
    std::string extent(text_.substr(at_ + 1, end - at_ - 1));
    std::erase_if(extent, [](char c) { return c == ' '; });
    extents_.push_back(std::move(extent));
    at_ = std::min(end + 1, text_.size());
  }

  // Of a type, as in complex<float>.
  void read_arguments() {
    const size_t end = std::min(text_.find('>', at_), text_.size() - 1);
    name_ += text_.substr(at_, end + 1 - at_);
    at_ = end + 1;
  }

  void skip_value() {
    int depth = 0;
    for (; at_ < text_.size() && (depth > 0 || text_[at_] != ','); ++at_) {
      depth += text_[at_] == '(' || text_[at_] == '<' ? 1 : 0;
      depth -= text_[at_] == ')' || text_[at_] == '>' ? 1 : 0;
    }
  }

  void finish() {
    if (!name_.empty() && !type_.empty()) out_.push_back({type_, name_, std::move(extents_)});
    name_.clear();
    extents_.clear();
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string type_, name_;
  std::vector<std::string> extents_;
  std::vector<GlobalDeclaration> out_;
};

// Attributes with brackets, as `__align__(16)`, are taken out; a name for them is kept by none.
std::string without_alignment(std::string text) {
  for (const char* word : {"__align__", "alignas", "__attribute__"}) {
    for (size_t at = text.find(word); at != text.npos; at = text.find(word)) {
      size_t end = text.find('(', at);
      int depth = 0;
      do {
        if (end >= text.size()) return text.substr(0, at);
        depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        ++end;
      } while (depth > 0);
      text.erase(at, end - at);
    }
  }
  return text;
}

bool is_variable(const Declaration& declaration, std::string_view text) {
  const size_t value = std::min(text.find('='), text.size());
  return declaration.end == ';' && has_space_word(text) && text.find("template") == text.npos &&
         text.substr(0, value).find('(') == text.npos && text.find("extern") == text.npos;
}

}  // namespace

std::vector<GlobalDeclaration> find_globals(std::string_view source) {
  const std::string text = without_comments(source);
  std::vector<GlobalDeclaration> out;
  for (const Declaration& each : OuterLevel(text).read()) {
    const std::string declaration = without_alignment(each.text);
    if (!is_variable(each, declaration)) continue;
    for (GlobalDeclaration& found : Declarators(declaration).read()) {
      out.push_back(std::move(found));
    }
  }
  return out;
}

std::optional<GlobalDeclaration> find_global(std::string_view source, std::string_view name) {
  for (GlobalDeclaration& each : find_globals(source)) {
    if (each.name == name) return std::move(each);
  }
  return std::nullopt;
}

}  // namespace gpy::rt
