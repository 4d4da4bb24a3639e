#include "src/diagnostics/shown_line.h"

#include <algorithm>

namespace gpy {

namespace {

struct CharacterRange {
  char32_t first, last;
};

// East_Asian_Width W and F of Unicode 14, joined across unassigned code points.
// clang-format off
constexpr CharacterRange kWide[] = {
    {0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23ec}, {0x23f0, 0x23f0},
    {0x23f3, 0x23f3}, {0x25fd, 0x25fe}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267f, 0x267f},
    {0x2693, 0x2693}, {0x26a1, 0x26a1}, {0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5},
    {0x26ce, 0x26ce}, {0x26d4, 0x26d4}, {0x26ea, 0x26ea}, {0x26f2, 0x26f3}, {0x26f5, 0x26f5},
    {0x26fa, 0x26fa}, {0x26fd, 0x26fd}, {0x2705, 0x2705}, {0x270a, 0x270b}, {0x2728, 0x2728},
    {0x274c, 0x274c}, {0x274e, 0x274e}, {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797},
    {0x27b0, 0x27b0}, {0x27bf, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b50}, {0x2b55, 0x2b55},
    {0x2e80, 0x303e}, {0x3041, 0x3247}, {0x3250, 0x4dbf}, {0x4e00, 0xa4c6}, {0xa960, 0xa97c},
    {0xac00, 0xd7a3}, {0xf900, 0xfad9}, {0xfe10, 0xfe19}, {0xfe30, 0xfe6b}, {0xff01, 0xff60},
    {0xffe0, 0xffe6}, {0x16fe0, 0x1b2fb}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e,
    0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c},
    {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0}, {0x1f3f4,
    0x1f3f4}, {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d},
    {0x1f54b, 0x1f54e}, {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4,
    0x1f5a4}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2},
    {0x1f6d5, 0x1f6df}, {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7f0}, {0x1f90c,
    0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faf6}, {0x20000, 0x3134a}};
// Marks that lie over the character before them.
constexpr CharacterRange kNoWidth[] = {
    {0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd}, {0x610, 0x61a}, {0x64b, 0x65f},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f},
    {0xfe20, 0xfe2f}, {0x1f3fb, 0x1f3ff}, {0xe0100, 0xe01ef}};
// clang-format on

template <size_t N> bool is_in(const CharacterRange (&ranges)[N], char32_t c) {
  const auto* at =
      std::upper_bound(std::begin(ranges), std::end(ranges), c,
                       [](char32_t x, const CharacterRange& r) { return x < r.first; });
  return at != std::begin(ranges) && c <= (at - 1)->last;
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

char32_t decoded(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first < 0x80 || character.size() > 4) return first;  // beyond: not UTF-8
  char32_t c = first & (0x7F >> character.size());
  for (char each : character.substr(1)) c = c << 6 | (static_cast<unsigned char>(each) & 0x3F);
  return c;
}

int width_of(std::string_view character) {
  const char32_t c = decoded(character);
  if (c < 0x300) return 1;
  if (is_in(kNoWidth, c)) return 0;
  return is_in(kWide, c) ? 2 : 1;
}

std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> found;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (end < text.size() && !starts_character(text[end])) ++end;
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  for (std::string_view each : characters_of(text)) width += width_of(each);
  return width;
}

ShownLine::ShownLine(std::string_view line, int column) {
  constexpr int kWidest = 400, kBefore = 100;  // wider than any screen
  const size_t begin = std::min(line.find_first_not_of(" \t\f"), line.size());
  const size_t end = std::max(line.find_last_not_of(" \t\f\r") + 1, begin);
  first_ = static_cast<int>(begin);
  const auto characters = characters_of(line.substr(begin, end - begin));
  const int count = static_cast<int>(characters.size());
  int from = 0, to = count;
  if (count > kWidest) {
    from = std::clamp(column - 1 - first_ - kBefore, 0, count - kWidest);
    to = from + kWidest;
  }
  first_ += from;
  for (int i = from; i < to; ++i) show(characters[static_cast<size_t>(i)]);
}

void ShownLine::show(std::string_view character) {
  constexpr int kTab = 4;
  const int at = places_.back();
  const bool is_tab = character == "\t";
  const int width = is_tab ? kTab - at % kTab : width_of(character);
  text_ += is_tab ? std::string(static_cast<size_t>(width), ' ') : std::string(character);
  places_.push_back(at + width);
}

int ShownLine::place(int column) const {
  const int last = static_cast<int>(places_.size()) - 1;
  return places_[static_cast<size_t>(std::clamp(column - 1 - first_, 0, last))];
}

Mark mark_of(const ShownLine& line, const SourceRange& range, const SourceRange& caret) {
  auto end_of = [&](const SourceRange& r) {
    return r.end_line > range.line ? line.width() : line.place(r.end_column);
  };
  Mark mark;
  mark.from = line.place(range.column);
  mark.to = end_of(range);
  const bool has_caret = caret.line == range.line &&
                         (caret.column != range.column || caret.end_column != range.end_column ||
                          caret.end_line != range.end_line);
  const bool is_whole = mark.to - mark.from >= line.width() && !has_caret;
  if (mark.from >= mark.to || is_whole) return {};
  mark.caret_from = has_caret ? std::max(mark.from, line.place(caret.column)) : mark.from;
  mark.caret_to = has_caret ? std::min(mark.to, end_of(caret)) : mark.to;
  return mark;
}

}  // namespace gpy
