#include "runtime/host_kernel/dynamic_shared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

constexpr std::string_view kShared = "__shared__";

// The last word of `text`; empty where it ends otherwise.
std::string_view last_word(std::string_view text) {
  text = trimmed(text);
  size_t start = text.size();
  while (start > 0 && is_name_char(text[start - 1])) --start;
  return text.substr(start);
}

// The brackets that begin at `at`, if any do.
size_t after_brackets(std::string_view text, size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  if (at == text.size() || text[at] != '(') return at;
  return std::min(closing_bracket(text, at), text.size() - 1) + 1;
}

// The type's part of a declaration: without the words that say where the variable lies.
std::string without_storage(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t start = at;
    while (at < text.size() && is_name_char(text[at])) ++at;
    if (at == start) {
      out += text[at++];
      continue;
    }
    const std::string_view word = text.substr(start, at - start);
    const bool aligns = word == "__align__" || word == "alignas" || word == "__attribute__";
    if (aligns) at = after_brackets(text, at);
    else if (word != "extern" && word != kShared && word != "static") out += word;
  }
  return out;
}

// Whether a brace behind this text opens a function's body.
bool opens_function(std::string_view before) {
  before = trimmed(before);
  const std::string_view word = last_word(before);
  return before.ends_with(')') || word == "const" || word == "noexcept";
}

bool is_in_function(std::string_view text, size_t at) {
  std::vector<bool> open;
  for (size_t i = 0; i < at; ++i) {
    const bool inside = !open.empty() && open.back();
    if (text[i] == '{') open.push_back(inside || opens_function(text.substr(0, i)));
    if (text[i] == '}' && !open.empty()) open.pop_back();
  }
  return !open.empty() && open.back();
}

struct Declaration {
  size_t begin, end;  // up to the semicolon
};

std::optional<Declaration> declaration_around(std::string_view text, size_t at) {
  const size_t previous = text.find_last_of(";{}", at);
  const size_t begin = previous == text.npos ? 0 : previous + 1;
  const size_t end = text.find(';', at);
  if (end == text.npos) return std::nullopt;
  const size_t word = text.substr(begin, end - begin).find("extern");
  if (word == text.npos) return std::nullopt;
  return Declaration{begin + word, end};
}

// The declaration as one of a reference; nothing where it is of another form.
std::string rewritten(std::string_view declaration, bool in_function) {
  const size_t open = declaration.find('[');
  const size_t close = declaration.find(']', open);
  if (open == declaration.npos || close == declaration.npos) return {};
  const std::string_view before = declaration.substr(0, open);
  const std::string_view name = last_word(before);
  const size_t named = static_cast<size_t>(name.data() - declaration.data());
  const std::string type = std::string(trimmed(without_storage(declaration.substr(0, named)))) +
                           std::string(declaration.substr(close + 1));
  if (name.empty() || type.empty()) return {};
  if (!in_function) return fmt::format("static _gpy_dynamic<{}> {}", type, name);
  return fmt::format("_gpy_many<{0}>& {1} = *(_gpy_many<{0}>*)_gpy_dynamic_shared()", type, name);
}

}  // namespace

std::string with_dynamic_shared(const std::string& source) {
  const std::string text = without_comments(source);
  std::string out;
  size_t done = 0;
  for (size_t at = text.find(kShared); at != text.npos; at = text.find(kShared, at + 1)) {
    const auto found = declaration_around(text, at);
    if (!found || found->begin < done) continue;
    const std::string_view whole(text.data() + found->begin, found->end - found->begin);
    const std::string made = rewritten(whole, is_in_function(text, found->begin));
    if (made.empty()) continue;
    out.append(source, done, found->begin - done).append(made);
    out.append(static_cast<size_t>(std::ranges::count(whole, '\n')), '\n');
    done = found->end;
  }
  return out.append(source, done);
}

}  // namespace gpy::rt
