#pragma once
// Searches in texts of either unit, and what a unit is as a character.

#include <vector>

#include "src/text/unicode.h"
#include "stdlib/native/text/row_loop.h"

namespace gpy::lib {

// The bits of a character's CharacterClass; of bytes, ASCII alone has any.
inline const std::array<uint16_t, 128> kAsciiClasses = [] {
  std::array<uint16_t, 128> found;
  for (char32_t c = 0; c < 128; ++c) found[c] = character_class(c);
  return found;
}();
inline uint16_t unit_class(char32_t c) { return c < 128 ? kAsciiClasses[c] : character_class(c); }
inline uint16_t unit_class(char c) {
  if (c < 0) return 0;
  const uint16_t bits = kAsciiClasses[static_cast<size_t>(c)];
  const bool is_separator = c >= 0x1c && c <= 0x1f;  // white space of str, not of bytes
  return is_separator ? static_cast<uint16_t>(bits & ~kSpace) : bits;
}

template <class Unit> bool is_digit(Unit c) { return c >= '0' && c <= '9'; }
template <class Unit> bool is_small(Unit c) { return c >= 'a' && c <= 'z'; }
template <class Unit> bool is_capital(Unit c) { return c >= 'A' && c <= 'Z'; }
template <class Unit> bool is_letter(Unit c) { return is_small(c) || is_capital(c); }

// From this length on a part is searched for in time that grows with the sum of the lengths.
inline constexpr size_t kLongPart = 32;

// The first place of a part that is not empty, by Knuth, Morris and Pratt; the text's length where
// there is none.
template <class It> size_t find_long(It text, size_t size, It part, size_t wanted) {
  std::vector<size_t> border(wanted, 0);
  for (size_t i = 1, k = 0; i < wanted; ++i) {
    while (k > 0 && part[i] != part[k]) k = border[k - 1];
    k += part[i] == part[k];
    border[i] = k;
  }
  for (size_t i = 0, k = 0; i < size; ++i) {
    while (k > 0 && text[i] != part[k]) k = border[k - 1];
    k += text[i] == part[k];
    if (k == wanted) return i + 1 - wanted;
  }
  return size;
}

// The first place of a part; npos: none.
template <class Unit> size_t find_in(TextView<Unit> text, TextView<Unit> part) {
  if (part.size() < kLongPart) return text.find(part);
  const size_t at = find_long(text.begin(), text.size(), part.begin(), part.size());
  return at == text.size() ? text.npos : at;
}

// The last place of a part; npos: none.
template <class Unit> size_t find_last_in(TextView<Unit> text, TextView<Unit> part) {
  if (part.size() < kLongPart) return text.rfind(part);
  const size_t at = find_long(text.rbegin(), text.size(), part.rbegin(), part.size());
  return at == text.size() ? text.npos : text.size() - part.size() - at;
}

// How often a part that is not empty is in a text, without overlap.
template <class Unit> int64_t count_in(TextView<Unit> text, TextView<Unit> part) {
  int64_t count = 0;
  for (size_t at = find_in(text, part); at != text.npos; at = find_in(text, part)) {
    text.remove_prefix(at + part.size());
    ++count;
  }
  return count;
}

}  // namespace gpy::lib
