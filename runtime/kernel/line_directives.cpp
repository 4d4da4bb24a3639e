#include "runtime/kernel/line_directives.h"

#include <algorithm>

namespace gpy::rt {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// Reads and removes the escape behind a backslash: up to three octal digits, or a character.
char take_escape(std::string_view& text) {
  size_t digits = 0;
  int value = 0;
  for (; digits < 3 && digits < text.size() && is_octal(text[digits]); ++digits) {
    value = value * 8 + (text[digits] - '0');
  }
  constexpr std::string_view kNames = "abfnrtv", kMeant = "\a\b\f\n\r\t\v";
  const size_t named = kNames.find(text[0]);
  const char out = digits != 0            ? static_cast<char>(value)
                   : named != kNames.npos ? kMeant[named]
                                          : text[0];
  text.remove_prefix(std::max<size_t>(digits, 1));
  return out;
}

}  // namespace

std::string take_quoted(std::string_view& text) {
  std::string out;
  text.remove_prefix(std::min(text.find('"'), text.size()));
  if (!text.empty()) text.remove_prefix(1);
  while (!text.empty()) {
    const char c = text[0];
    text.remove_prefix(1);
    if (c == '"') break;
    out += c == '\\' && !text.empty() ? take_escape(text) : c;
  }
  return out;
}

std::vector<std::string> line_directive_files(std::string_view source) {
  constexpr std::string_view kDirective = "#line ";
  std::vector<std::string> out;
  for (size_t at = source.find(kDirective); at != source.npos; at = source.find(kDirective, at)) {
    at += kDirective.size();
    std::string_view rest = source.substr(at, source.find('\n', at) - at);
    std::string name = take_quoted(rest);
    if (!name.empty() && name != "<generated>" && std::ranges::find(out, name) == out.end())
      out.push_back(std::move(name));
  }
  return out;
}

}  // namespace gpy::rt
