#include "runtime/kernel/unclosed_brace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "runtime/kernel/cuda_source.h"
#include "runtime/kernel/line_directives.h"

namespace gpy::rt {

namespace {

int64_t open_braces(std::string_view text) {
  return std::ranges::count(text, '{') - std::ranges::count(text, '}');
}

// Removes the first line, with those that a backslash at its end joins to it.
std::string_view take_line(std::string_view& text) {
  size_t end = text.find('\n');
  while (end != text.npos && end > 0 && text[end - 1] == '\\') end = text.find('\n', end + 1);
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

// Whether a macro or a branch of a condition opens braces that it does not close, or the reverse:
// which of them count is then not known here.
bool decides_by_preprocessor(std::string_view text) {
  std::vector<int64_t> branches;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const int64_t opened = open_braces(line);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with('#')) {
      if (!branches.empty()) branches.back() += opened;
      continue;
    }
    line.remove_prefix(std::min(line.find_first_not_of("# \t"), line.size()));
    if (opened != 0) return true;
    if (line.starts_with("if")) branches.push_back(0);
    const bool ends = line.starts_with("el") || line.starts_with("endif");
    if (!ends || branches.empty()) continue;
    if (branches.back() != 0) return true;
    if (line.starts_with("endif")) branches.pop_back();
  }
  return false;
}

// The place of a character of a source as its #line directives tell it.
std::string place_in(std::string_view source, size_t at) {
  std::string file = "<kernel>";
  int line = 1;
  size_t start = 0;
  for (size_t end = source.find('\n'); end != source.npos && end < at;
       end = source.find('\n', start)) {
    std::string_view text = source.substr(start, end - start);
    ++line;
    start = end + 1;
    if (!text.starts_with("#line ")) continue;
    text.remove_prefix(6);
    std::from_chars(text.data(), text.data() + text.size(), line);
    if (text.find('"') != text.npos) file = take_quoted(text);
  }
  return fmt::format("{}:{}:{}", file, line, at - start + 1);
}

}  // namespace

// Of what is open at the end, what stands around all of the text (`extern "C" {`) was meant to be:
// the last brace of its depth is told.
std::string unclosed_brace(std::string_view source) {
  const std::string text = without_comments(source);
  if (decides_by_preprocessor(text)) return "";
  std::vector<size_t> open, last_of_depth;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') {
      open.push_back(i);
      last_of_depth.resize(std::max(last_of_depth.size(), open.size()));
      last_of_depth[open.size() - 1] = i;
    }
    if (text[i] == '}' && !open.empty()) open.pop_back();
  }
  if (open.empty()) return "";
  std::string_view before = std::string_view(text).substr(0, open.back());
  while (!before.empty() && std::isspace(static_cast<unsigned char>(before.back())))
    before.remove_suffix(1);
  const bool around = before.ends_with("extern") && last_of_depth.size() > open.size();
  return place_in(source, around ? last_of_depth[open.size()] : open.back());
}

}  // namespace gpy::rt
