#include "runtime/kernel/cuda_source.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace gpy::rt {

bool is_name_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) || c == '_' || byte >= 0x80;
}

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

size_t closing_bracket(std::string_view clean, size_t open) {
  int depth = 0;
  for (size_t i = open; i < clean.size(); ++i) {
    depth += clean[i] == '(' ? 1 : clean[i] == ')' ? -1 : 0;
    if (depth == 0) return i;
  }
  return clean.npos;
}

namespace {

// One past a literal that begins at `from`; one without a closing quote ends with its line.
size_t end_of_literal(std::string_view text, size_t from) {
  for (size_t i = from + 1; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == text[from]) return i + 1;
    else if (text[i] == '\n') return i;
  }
  return text.size();
}

// A line comment goes on behind a backslash at its line's end.
size_t end_of_comment(std::string_view text, size_t from) {
  const bool line = text[from + 1] == '/';
  size_t end = line ? text.find('\n', from) : text.find("*/", from + 2);
  while (line && end != text.npos && text[end - 1] == '\\') end = text.find('\n', end + 1);
  if (end == std::string_view::npos) return text.size();
  return line ? end : end + 2;
}

// Where the word that ends before `end` begins; quotes may separate a number's digits.
size_t begin_of_word(std::string_view text, size_t end) {
  while (end > 0 && (is_name_char(text[end - 1]) || text[end - 1] == '\'')) --end;
  return end;
}

bool separates_digits(std::string_view text, size_t quote) {
  const size_t begin = begin_of_word(text, quote);
  return begin < quote && std::isdigit(static_cast<unsigned char>(text[begin])) != 0;
}

// One past the raw string whose quote is at `quote`; `quote` where it begins no such string.
size_t end_of_raw_string(std::string_view text, size_t quote) {
  const std::string_view prefix =
      text.substr(begin_of_word(text, quote), quote - begin_of_word(text, quote));
  if (prefix != "R" && prefix != "LR" && prefix != "uR" && prefix != "UR" && prefix != "u8R")
    return quote;
  const size_t open = text.find('(', quote);
  if (open == text.npos) return quote;
  const std::string closing = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
  const size_t close = text.find(closing, open);
  return close == text.npos ? text.size() : close + closing.size();
}

// The end of the comment or literal that begins at `i`; `i` if there is none.
size_t end_of_blank(std::string_view text, size_t i) {
  const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
  if (c == '/' && (next == '/' || next == '*')) return end_of_comment(text, i);
  if (c == '\'') return separates_digits(text, i) ? i : end_of_literal(text, i);
  if (c != '"') return i;
  const size_t raw = end_of_raw_string(text, i);
  return raw > i ? raw : end_of_literal(text, i);
}

}  // namespace

std::string without_comments(std::string_view source) {
  std::string out(source);
  for (size_t i = 0; i < out.size();) {
    const size_t end = end_of_blank(source, i);
    if (end == i) ++i;
    for (; i < end; ++i) {
      if (out[i] != '\n') out[i] = ' ';
    }
  }
  return out;
}

namespace {

// One past the bracket that closes the one at `open`; npos if there is none.
size_t after_brackets(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

// `__launch_bounds__(256)`, `__attribute__((...))`: words of the implementation, not names.
bool is_attribute(std::string_view word) { return word.starts_with("__") && word.ends_with("__"); }

// The text of the declaration before `at`: "template <class T> ".
std::string_view text_before(std::string_view text, size_t at) {
  const size_t before = at == 0 ? std::string_view::npos : text.find_last_of(";{}", at - 1);
  const size_t start = before == std::string_view::npos ? 0 : before + 1;
  return text.substr(start, at - start);
}

void read_template(KernelDeclaration& kernel, std::string_view before) {
  const size_t word = before.find("template");
  kernel.is_template = word != before.npos;
  const size_t open = before.find('<', std::min(word, before.size())), close = before.rfind('>');
  if (kernel.is_template && open < close && close != before.npos)
    kernel.template_parameters = before.substr(open + 1, close - open - 1);
}

// The declaration whose `__global__` ends at `at`: its name is the first word before a bracket.
std::optional<KernelDeclaration> read_declaration(std::string_view text, size_t at) {
  std::string_view word;
  while (at < text.size() && text[at] != ';' && text[at] != '{') {
    if (is_name_char(text[at])) {
      const size_t start = at;
      while (at < text.size() && is_name_char(text[at])) ++at;
      word = text.substr(start, at - start);
    } else if (text[at] == '(' && !word.empty()) {
      const size_t after = after_brackets(text, at);
      if (after == std::string_view::npos) return std::nullopt;
      const std::string_view inside = text.substr(at + 1, after - at - 2);
      if (!is_attribute(word)) return KernelDeclaration{std::string(word), std::string(inside)};
      word = {};
      at = after;
    } else {
      if (!std::isspace(static_cast<unsigned char>(text[at]))) word = {};
      ++at;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<KernelDeclaration> find_kernels(std::string_view source) {
  constexpr std::string_view kMark = "__global__";
  const std::string text = without_comments(source);
  std::vector<KernelDeclaration> kernels;
  for (size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at + 1)) {
    auto found = read_declaration(text, at + kMark.size());
    if (!found) continue;
    read_template(*found, text_before(text, at));
    const bool known =
        std::ranges::find(kernels, found->name, &KernelDeclaration::name) != kernels.end();
    if (!known) kernels.push_back(std::move(*found));
  }
  return kernels;
}

bool launches_kernels(std::string_view source) {
  return source.find("<<<") != source.npos && without_comments(source).find("<<<") != source.npos;
}

namespace {

enum class Branch { kTaken, kLeftOut, kUnknown };

// Decides `if` and its like, by names that only a CUDA compiler defines.
Branch judge(std::string_view directive, std::string_view condition) {
  std::string bare;
  for (const char c : condition) {
    if (!std::isspace(static_cast<unsigned char>(c)) && c != '(' && c != ')') bare += c;
  }
  bool holds = directive == "ifndef";
  if (bare.starts_with('!')) {
    holds = !holds;
    bare.erase(0, 1);
  }
  if (bare.starts_with("defined")) bare.erase(0, 7);
  if (bare == "1") return holds ? Branch::kLeftOut : Branch::kTaken;
  for (const char* name : {"0", "__CUDACC_RTC__", "__CUDACC__", "__CUDA_ARCH__"}) {
    if (bare == name) return holds ? Branch::kTaken : Branch::kLeftOut;
  }
  return Branch::kUnknown;
}

// The conditions around a line of source.
class Conditions {
 public:
  // False for a line that is not one of these directives.
  bool read(std::string_view line) {
    const size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string_view::npos || line[hash] != '#') return false;
    const size_t start = std::min(line.find_first_not_of(" \t", hash + 1), line.size());
    const size_t end = std::min(line.find_first_of(" \t!(", start), line.size());
    return change(line.substr(start, end - start), line.substr(end));
  }
  bool leave_out() const { return std::ranges::find(open_, Branch::kLeftOut) != open_.end(); }

 private:
  bool change(std::string_view directive, std::string_view condition) {
    if (directive == "if" || directive == "ifdef" || directive == "ifndef") {
      open_.push_back(judge(directive, condition));
      return true;
    }
    if (open_.empty()) return false;
    if (directive == "endif") {
      open_.pop_back();
      return true;
    }
    if (directive != "else" && directive != "elif") return false;
    open_.back() = other_branch(directive, condition);
    return true;
  }
  Branch other_branch(std::string_view directive, std::string_view condition) const {
    if (open_.back() == Branch::kTaken) return Branch::kLeftOut;
    if (open_.back() == Branch::kUnknown) return Branch::kUnknown;
    return directive == "else" ? Branch::kTaken : judge("if", condition);
  }

  std::vector<Branch> open_;
};

}  // namespace

std::string host_lines(std::string_view source) {
  std::string out;
  Conditions conditions;
  for (size_t start = 0; start < source.size();) {
    const size_t end = std::min(source.find('\n', start), source.size());
    const std::string_view line = source.substr(start, end - start);
    if (!conditions.read(line) && !conditions.leave_out()) out.append(line).push_back('\n');
    start = end + 1;
  }
  return out;
}

}  // namespace gpy::rt
