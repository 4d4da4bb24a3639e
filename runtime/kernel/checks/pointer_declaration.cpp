#include "runtime/kernel/checks/pointer_declaration.h"

#include <algorithm>

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

using Words = std::vector<SourceWord>;

bool is_word(std::string_view text) {
  return is_name_char(text[0]) && !(text[0] >= '0' && text[0] <= '9');
}

bool qualifies_pointer(std::string_view word) {
  return word == "__restrict__" || word == "__restrict" || word == "const" || word == "volatile";
}

std::optional<PointerDeclaration> refuse_void(PointerDeclaration pointer) {
  if (pointer.type.empty() || pointer.type.ends_with("void")) return std::nullopt;
  return pointer;
}

// One past the brackets `<...>`, `(...)` that open at `open`.
size_t after_closing(const Words& words, size_t open) {
  if (words[open].text != "<") return closing_word(words, open) + 1;
  int depth = 0;
  for (size_t i = open; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (word == ";" || word == "{") return words.size();
    depth += word == "<" ? 1 : word == ">" ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return words.size();
}

}  // namespace

bool is_plain_name(std::string_view word) {
  constexpr std::string_view kOthers[] = {
      "return",   "else",    "case",         "goto",        "throw",      "delete",    "new",
      "do",       "typedef", "using",        "static",      "extern",     "constexpr", "operator",
      "struct",   "class",   "union",        "enum",        "sizeof",     "auto",      "if",
      "while",    "for",     "switch",       "default",     "template",   "typename",  "break",
      "continue", "asm",     "__constant__", "__device__",  "__global__", "__host__",  "register",
      "public",   "private", "namespace",    "thread_local"};
  return is_word(word) && std::ranges::find(kOthers, word) == std::end(kOthers);
}

bool is_type(std::string_view type) {
  constexpr std::string_view kQualifiers[] = {"const ", "volatile ", "unsigned ", "signed "};
  for (const std::string_view word : kQualifiers) {
    if (type.starts_with(word)) return is_type(type.substr(word.size()));
  }
  constexpr std::string_view kTypes[] = {"float", "double", "int",  "char",  "short",    "long",
                                         "bool",  "half",   "uint", "uchar", "unsigned", "ushort"};
  const size_t last = type.find_last_not_of("1234");
  const std::string_view scalar = type.substr(0, last + 1);
  return type == "long long" || std::ranges::find(kTypes, scalar) != std::end(kTypes);
}

std::string joined_words(const Words& words, size_t from, size_t to) {
  std::string out;
  for (size_t i = from; i < to; ++i) {
    const std::string_view word = words[i].text;
    if (!out.empty() && is_name_char(out.back()) && is_name_char(word[0])) out += ' ';
    out += word;
  }
  return out;
}

std::optional<PointerDeclaration> read_pointer(const Words& words, size_t from, size_t to) {
  size_t i = from;
  std::vector<SourceWord> type;
  for (; i < to && words[i].text != "*" && words[i].text != "["; ++i) {
    const std::string_view word = words[i].text;
    if (word == "<") {
      const size_t after = after_closing(words, i);
      if (after >= to) return std::nullopt;
      for (; i < after; ++i) type.push_back(words[i]);
      --i;
      continue;
    }
    if (word == ":" ? false : !is_word(word)) return std::nullopt;
    if (word != "__restrict__" && word != "__grid_constant__") type.push_back(words[i]);
  }
  if (i == to || type.empty()) return std::nullopt;
  PointerDeclaration out;
  if (words[i].text == "[") {
    if (closing_word(words, i) + 1 != to || type.size() < 2) return std::nullopt;
    out.name = type.back().text;
    type.pop_back();
  } else {
    for (++i; i < to; ++i) {
      const std::string_view word = words[i].text;
      if (qualifies_pointer(word)) continue;
      if (!is_word(word) || !out.name.empty()) return std::nullopt;
      out.name = word;
    }
  }
  out.type = joined_words(type, 0, type.size());
  return refuse_void(std::move(out));
}

namespace {

// One past the type's words; the name is the last of them.
size_t after_names(const Words& words, size_t i) {
  while (i < words.size()) {
    const std::string_view word = words[i].text;
    if (word == "<") i = after_closing(words, i);
    else if (word == ":" || is_plain_name(word)) ++i;
    else break;
  }
  return std::min(i, words.size());
}

// The declarator whose name is the word `at`; false for one of another form.
bool read_extents(const Words& words, size_t at, ArrayDeclaration& out) {
  out.name = words[at].text;
  size_t i = at + 1;
  while (i < words.size() && words[i].text == "[") {
    const size_t close = closing_word(words, i);
    if (close == words.size()) return false;
    out.extents.push_back(joined_words(words, i + 1, close));
    i = close + 1;
  }
  out.end = i;
  return i < words.size();
}

}  // namespace

std::vector<ArrayDeclaration> read_arrays(const Words& words, size_t from) {
  const size_t names_end = after_names(words, from);
  if (names_end < from + 2 || !is_plain_name(words[names_end - 1].text) ||
      words[names_end - 2].text == ":")
    return {};
  std::vector<ArrayDeclaration> out;
  const std::string type = joined_words(words, from, names_end - 1);
  for (size_t at = names_end - 1;; at = out.back().end + 1) {
    if (at >= words.size() || !is_plain_name(words[at].text)) return {};
    out.push_back({.type = type, .name = {}, .extents = {}, .end = 0});
    if (!read_extents(words, at, out.back())) return {};
    const std::string_view next = words[out.back().end].text;
    if (next == ";" || (next == "=" && out.size() == 1)) return out;
    if (next != ",") return {};
  }
}

}  // namespace gpy::rt
