#include "runtime/host_kernel/cpp_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

// Of several characters, the longest first; `>>` may end two lists of template arguments.
constexpr std::string_view kMarks[] = {
    "<<=", ">>=", "...", "::", "->", "++", "--", "+=", "-=", "*=", "/=",
    "%=",  "&=",  "|=",  "^=", "==", "!=", "<=", ">=", "&&", "||", "<<"};

size_t mark_size(std::string_view rest) {
  for (std::string_view each : kMarks) {
    if (rest.starts_with(each)) return each.size();
  }
  return 1;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// One past a number that begins at `at`: 1e-5f, 0x10ull, .5
size_t end_of_number(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size()) {
    const char before = text[end - 1];
    const bool exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
    const bool signed_exponent =
        exponent && (text[end] == '+' || text[end] == '-') && text.substr(at, 2) != "0x";
    if (!is_name_char(text[end]) && text[end] != '.' && text[end] != '\'' && !signed_exponent)
      break;
    ++end;
  }
  return end;
}

std::string_view word_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && is_name_char(text[end])) ++end;
  return text.substr(at, end - at);
}

}  // namespace

CppTokens::CppTokens(const std::string& source)
    : source_(source), clean_(without_comments(source)) {
  marks_.push_back({0, {"<kernel>", 1}});
  bool line_begins = true;
  for (size_t at = 0; at < clean_.size();) {
    const char c = clean_[at];
    if (is_blank(c) || c == '\\') {  // it joins two lines
      line_begins |= c == '\n' && (at == 0 || clean_[at - 1] != '\\');
      ++at;
    } else if (c == '#' && line_begins) {
      read_directive(at);
    } else if (left_out()) {
      at = std::min(clean_.find('\n', at), clean_.size());
    } else {
      line_begins = false;
      read_token(at);
    }
  }
  match_brackets();
}

void CppTokens::read_directive(size_t& at) {
  const size_t begin = at;
  while (at < clean_.size() && (clean_[at] != '\n' || clean_[at - 1] == '\\')) ++at;
  const std::string_view text = trimmed(std::string_view(clean_).substr(begin + 1, at - begin - 1));
  read_condition(text);
  if (left_out()) return;
  directives_.push_back({begin, at, text});
  if (text.starts_with("undef")) defined_.erase(word_at(trimmed(text.substr(5)), 0));
  const bool is_certain = std::ranges::all_of(conditions_, [](const auto& each) { return !!each; });
  if (text.starts_with("define") && is_certain)
    defined_.insert(word_at(trimmed(text.substr(6)), 0));
  if (!text.starts_with("line")) return;
  const std::string_view digits = trimmed(text.substr(4));
  int line = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), line);
  // Literals are blanks in the clean text.
  const size_t open = source_.find('"', begin), close = source_.find('"', open + 1);
  std::string file =
      close < at ? source_.substr(open + 1, close - open - 1) : marks_.back().number.file;
  marks_.push_back({std::min(at + 1, clean_.size()), {std::move(file), line}});
}

bool CppTokens::left_out() const {
  return std::ranges::any_of(conditions_, [](const auto& each) { return each && !*each; });
}

void CppTokens::read_condition(std::string_view text) {
  const std::string_view word = word_at(text, 0);
  const std::string_view rest = trimmed(text.substr(word.size()));
  if (word == "if") conditions_.push_back(holds(rest));
  else if (word == "ifdef") conditions_.push_back(holds(fmt::format("defined({})", rest)));
  else if (word == "ifndef") conditions_.push_back(holds(fmt::format("!defined({})", rest)));
  if (conditions_.empty()) return;
  std::optional<bool>& last = conditions_.back();
  if (word == "elif") last = std::nullopt;
  if (word == "else" && last) last = !*last;
  if (word == "endif") conditions_.pop_back();
}

// `defined(A) && !defined(B)`, or with || throughout.
std::optional<bool> CppTokens::holds(std::string_view condition) const {
  const bool any = condition.find("||") != condition.npos;
  if (any && condition.find("&&") != condition.npos) return std::nullopt;
  bool out = !any;
  while (!condition.empty()) {
    const size_t end = std::min(condition.find(any ? "||" : "&&"), condition.size());
    std::string_view term = trimmed(condition.substr(0, end));
    condition.remove_prefix(std::min(end + 2, condition.size()));
    const bool negated = term.starts_with('!');
    if (negated) term = trimmed(term.substr(1));
    if (!term.starts_with("defined(") || !term.ends_with(')')) return std::nullopt;
    const std::string_view name = trimmed(term.substr(8, term.size() - 9));
    const bool absent = name == "__CUDACC_RTC__" || name == "__CUDACC__";
    if (!absent && !defined_.contains(name)) return std::nullopt;
    if (any) out |= absent == negated;
    else out &= absent == negated;
  }
  return out;
}

void CppTokens::read_token(size_t& at) {
  const size_t begin = at;
  const bool number = is_digit(clean_[at]) ||
                      (clean_[at] == '.' && at + 1 < clean_.size() && is_digit(clean_[at + 1]));
  const bool name = !number && is_name_char(clean_[at]);
  if (number) at = end_of_number(clean_, at);
  else if (name)
    while (at < clean_.size() && is_name_char(clean_[at])) ++at;
  else at += mark_size(std::string_view(clean_).substr(at));
  tokens_.push_back({std::string_view(clean_).substr(begin, at - begin), begin, at, name});
}

void CppTokens::match_brackets() {
  std::vector<int> open;
  for (int i = 0; i < count(); ++i) {
    const std::string_view text = at(i);
    if (text == "(" || text == "[" || text == "{") open.push_back(i);
    if (text != ")" && text != "]" && text != "}") continue;
    const char expected = text == ")" ? '(' : text == "]" ? '[' : '{';
    if (open.empty() || at(open.back())[0] != expected) {
      balanced_ = false;
      return;
    }
    tokens_[static_cast<size_t>(i)].match = open.back();
    tokens_[static_cast<size_t>(open.back())].match = i;
    open.pop_back();
  }
  balanced_ = open.empty();
}

bool CppTokens::is_member(int i) const {
  const std::string_view before = at(i - 1);
  return before == "." || before == "->" || before == "::";
}

int CppTokens::after_template(int i, int last) const {
  int depth = 0;
  for (int k = i; k < last; ++k) {
    const std::string_view text = at(k);
    if (text == ";" || text == "{" || text == "&&" || text == "||") return i;
    depth += (text == "<") - (text == ">");
    if (depth == 0) return k + 1;
  }
  return i;
}

int CppTokens::find_outside_brackets(TokenRange range, std::string_view mark) const {
  for (int i = range.begin; i < range.end;) {
    if (at(i) == mark) return i;
    const int behind = at(i) == "<" && is_name(i - 1) ? after_template(i, range.end) : i;
    const std::string_view next = at(behind);
    const bool arguments = behind > i && (next == "(" || next == "{" || next == "::");
    const int match = (*this)[i].match;
    i = match > i ? match + 1 : arguments ? behind : i + 1;
  }
  return range.end;
}

bool is_assignment(std::string_view mark) {
  return mark == "=" || (mark.size() >= 2 && mark.ends_with('=') && mark != "==" && mark != "!=" &&
                         mark != "<=" && mark != ">=");
}

bool is_step(std::string_view mark) { return mark == "++" || mark == "--"; }

SourceLineNumber CppTokens::line_of(size_t offset) const {
  const auto after = std::ranges::upper_bound(marks_, offset, {}, &LineMark::offset);
  const LineMark& mark = *(after - 1);
  const auto from = source_.begin() + static_cast<std::ptrdiff_t>(mark.offset);
  const auto to = source_.begin() + static_cast<std::ptrdiff_t>(offset);
  return {mark.number.file, mark.number.line + static_cast<int>(std::count(from, to, '\n'))};
}

}  // namespace gpy::rt
