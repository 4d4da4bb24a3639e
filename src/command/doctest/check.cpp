#include "src/command/doctest/check.h"

#include <algorithm>
#include <cctype>

#include "src/command/doctest/lines.h"

namespace gpy::command {

static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

static bool is_blank(std::string_view line) {
  return std::all_of(line.begin(), line.end(), is_space);
}

// Whether a line of the expected output is `<BLANKLINE>`, which stands for an empty one.
static bool stands_for_blank(std::string_view line) {
  constexpr std::string_view kBlank = "<BLANKLINE>";
  return line.starts_with(kBlank) && is_blank(line.substr(kBlank.size()));
}

static std::string with_emptied(std::string_view text, bool (*is_emptied)(std::string_view)) {
  std::string out;
  each_line(text, [&](std::string_view line, bool is_ended) {
    if (!is_emptied(line)) out += line;
    if (is_ended) out += '\n';
  });
  return out;
}

static std::string normalized(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!is_space(text[i])) {
      out += text[i];
    } else if (!out.empty() && i + 1 < text.size() && !is_space(text[i + 1])) {
      out += ' ';
    }
  }
  return out;
}

static std::vector<std::string_view> pieces(std::string_view want) {
  constexpr std::string_view kAnything = "...";
  std::vector<std::string_view> found;
  for (size_t at; (at = want.find(kAnything)) != want.npos;) {
    found.push_back(want.substr(0, at));
    want.remove_prefix(at + kAnything.size());
  }
  found.push_back(want);
  return found;
}

// Each `...` matches any text: the first piece begins, the last one ends, the others lie between.
static bool matches(std::string_view want, std::string_view got) {
  const auto parts = pieces(want);
  if (parts.size() == 1) return want == got;
  if (!got.starts_with(parts.front())) return false;
  got.remove_prefix(parts.front().size());
  if (!got.ends_with(parts.back())) return false;
  got.remove_suffix(parts.back().size());
  for (size_t i = 1; i + 1 < parts.size(); ++i) {
    const size_t at = got.find(parts[i]);
    if (at == got.npos) return false;
    got.remove_prefix(at + parts[i].size());
  }
  return true;
}

bool is_wanted(const std::string& given_want, const std::string& given_got, Flags flags) {
  std::string want = given_want, got = given_got;
  if (want == got) return true;
  if (!(flags & kDontAcceptTrueFor1)) {
    if (got == "True\n" && want == "1\n") return true;
    if (got == "False\n" && want == "0\n") return true;
  }
  if (!(flags & kDontAcceptBlankline)) {
    want = with_emptied(want, stands_for_blank);
    got = with_emptied(got, is_blank);
    if (want == got) return true;
  }
  if (flags & kNormalizeWhitespace) {
    want = normalized(want);
    got = normalized(got);
    if (want == got) return true;
  }
  return (flags & kEllipsis) && matches(want, got);
}

// The name of the exception alone, without its module.
static std::string without_detail(const std::string& message) {
  size_t end = std::min(message.find('\n'), message.size());
  end = std::min(message.find(':'), end);
  const size_t dot = message.rfind('.', end);
  const size_t begin = dot == message.npos || dot >= end ? 0 : dot + 1;
  return message.substr(begin, end - begin);
}

bool is_wanted_error(const std::string& want, const std::string& got, Flags flags) {
  if (is_wanted(want, got, flags)) return true;
  return (flags & kIgnoreExceptionDetail) &&
         is_wanted(without_detail(want), without_detail(got), flags);
}

}  // namespace gpy::command
