#include "grammar/kernel_text.h"

#include <algorithm>
#include <vector>

#include "grammar/cpp_scan.h"
#include "grammar/hints.h"
#include "grammar/scan.h"

namespace gpy::syntax {
namespace {

using Label = KernelLabel;

// The parts of a kind of kernel, in the order in which errors name them.
struct Division {
  std::string_view article;  // "a reduction"
  std::vector<Label> labels;
  std::vector<Label> needed;
  bool is_optional = false;  // a text without labels is all operation
};

const Division& division_of(KernelKind kind) {
  static const auto& kElementwise =
      *new Division{"an elementwise kernel",
                    {Label::Preamble, Label::LoopPrep, Label::Operation, Label::AfterLoop},
                    {Label::Operation},
                    true};
  static const auto& kStencil = *new Division{
      "a stencil", {Label::Preamble, Label::Boundary, Label::Operation}, {Label::Operation}, true};
  static const auto& kReduction = *new Division{
      "a reduction",
      {Label::Preamble, Label::Type, Label::Identity, Label::Map, Label::Reduce, Label::Post},
      {Label::Map, Label::Reduce}};
  static const auto& kScan = *new Division{
      "a scan",
      {Label::Preamble, Label::Type, Label::Identity, Label::Map, Label::Scan, Label::Post},
      {Label::Map, Label::Scan}};
  switch (kind) {
    case KernelKind::Reduction: return kReduction;
    case KernelKind::Scan: return kScan;
    case KernelKind::Stencil: return kStencil;
    default: return kElementwise;
  }
}

std::string quoted(Label label) { return "'" + std::string(label_name(label)) + ":'"; }

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\f\n";
  size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// The label that `text` begins with, `label:` but not `label::`.
std::optional<Label> label_at(const Division& division, std::string_view text) {
  for (Label label : division.labels) {
    std::string_view name = label_name(label);
    auto rest = text.substr(std::min(name.size(), text.size()));
    if (text.starts_with(name) && rest.starts_with(':') && !rest.starts_with("::")) return label;
  }
  return std::nullopt;
}

struct Part {
  Label label;
  const char* label_begin;
  const char* begin;  // the beginning of its text
};

std::string quoted_list(const Division& division) {
  std::string labels;
  for (size_t i = 0; i < division.labels.size(); ++i) {
    if (i > 0) labels += i + 1 < division.labels.size() ? ", " : " or ";
    labels += quoted(division.labels[i]);
  }
  return labels;
}

// `word:` begins a line and is no label.
[[noreturn]] void fail_unknown(const Division& division, std::string_view word) {
  std::string meant = quoted_list(division);
  for (Label label : division.labels) {
    if (is_misspelling(word, label_name(label))) meant = quoted(label);
  }
  throw PartsError{word.data(), "unknown part '" + std::string(word) + ":' of " +
                                    std::string(division.article) + ": write " + meant};
}

// The word that stands before a ':' at the beginning of `text`, but not before '::'.
std::string_view word_with_colon(std::string_view text) {
  const auto in_word = [](char c) { return is_ascii_letter(c) || is_digit(c) || c == '_'; };
  size_t size = 0;
  while (size < text.size() && in_word(text[size])) ++size;
  const std::string_view rest = text.substr(size);
  return rest.starts_with(':') && !rest.starts_with("::") ? text.substr(0, size) : "";
}

// Refuses what looks like a label. The parts of a reduction and of a scan are expressions, in which
// `word:` begins a line only behind the `?` of a ternary.
void check_no_other_labels(const Division& division, std::string_view text) {
  const char* end = text.data() + text.size();
  int open_ternaries = 0;
  for (CppScan scan(text.data(), end); !scan.done(); scan.step()) {
    const std::string_view rest(scan.at(), static_cast<size_t>(end - scan.at()));
    if (rest[0] == '?') ++open_ternaries;
    if (rest[0] == ':' && open_ternaries > 0) --open_ternaries;
    if (scan.brackets() != 0 || !scan.is_line_start()) continue;
    const std::string_view word = word_with_colon(rest);
    const bool is_label = !word.empty() && open_ternaries == 0;
    if (is_label && !label_at(division, rest)) fail_unknown(division, word);
  }
}

std::vector<Part> find_parts(const Division& division, std::string_view text) {
  std::vector<Part> parts;
  const char* end = text.data() + text.size();
  for (CppScan scan(text.data(), end); !scan.done(); scan.step()) {
    if (!scan.is_line_start() || scan.brackets() != 0 || is_blank(*scan.at())) continue;
    if (auto label = label_at(division, {scan.at(), static_cast<size_t>(end - scan.at())})) {
      parts.push_back({*label, scan.at(), scan.at() + label_name(*label).size() + 1});
    }
  }
  return parts;
}

// What stands before the first label besides blanks and comments; null if nothing does.
const char* find_unlabelled(std::string_view text, const std::vector<Part>& parts) {
  const char* first = parts.empty() ? text.data() + text.size() : parts.front().label_begin;
  for (CppScan scan(text.data(), first); !scan.done(); scan.step()) {
    std::string_view rest(scan.at(), first - scan.at());
    bool is_comment = rest.starts_with("//") || rest.starts_with("/*");
    if (rest[0] != '\n' && !is_blank(rest[0]) && !is_comment) return scan.at();
  }
  return nullptr;
}

[[noreturn]] void fail_unlabelled(const Division& division, const char* at) {
  throw PartsError{at,
                   std::string(division.article) + "'s text begins with " + quoted_list(division)};
}

// The place of a label within a line, where it counts as text of the part before; null if none.
const char* find_within_line(const Division& division, std::string_view text, Label label) {
  const char* end = text.data() + text.size();
  for (CppScan scan(text.data(), end); !scan.done(); scan.step()) {
    auto found = label_at(division, {scan.at(), static_cast<size_t>(end - scan.at())});
    if (found == label) return scan.at();
  }
  return nullptr;
}

void check_all_there(const Division& division, std::string_view text, const KernelParts& parts) {
  for (Label label : division.needed) {
    std::string_view part = parts[static_cast<size_t>(label)];
    if (!trim(part).empty()) continue;
    const char* at = part.data() ? nullptr : find_within_line(division, text, label);
    std::string article(division.article);
    if (at) {
      throw PartsError{
          at, "each part of " + article + " begins a line: " + quoted(label) + " is within one"};
    }
    throw PartsError{nullptr, article + " needs " + quoted(label)};
  }
}

}  // namespace

const char* find_closing_brace(const char* at, const char* end) {
  for (CppScan scan(at, end); !scan.done(); scan.step()) {
    if (*scan.at() == '}' && scan.braces() == 0) return scan.at();
  }
  return nullptr;
}

std::optional<KernelParts> split_kernel_text(KernelKind kind, std::string_view text) {
  KernelParts out;
  const Division& division = division_of(kind);
  auto parts = find_parts(division, text);
  if (const char* at = find_unlabelled(text, parts)) {
    if (division.is_optional) return std::nullopt;
    fail_unlabelled(division, at);
  }
  if (parts.empty() && division.is_optional) return std::nullopt;
  if (!division.is_optional) check_no_other_labels(division, text);
  for (size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    const char* end = i + 1 < parts.size() ? parts[i + 1].label_begin : text.data() + text.size();
    auto& field = out[static_cast<size_t>(part.label)];
    if (field.data()) throw PartsError{part.label_begin, quoted(part.label) + " appears twice"};
    field = trim({part.begin, static_cast<size_t>(end - part.begin)});
  }
  check_all_there(division, text, out);
  return out;
}

}  // namespace gpy::syntax
