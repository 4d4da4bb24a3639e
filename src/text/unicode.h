#pragma once
// Unicode's properties of a code point, as Python's str methods need them.

#include <cstdint>
#include <string>
#include <string_view>

namespace gpy {

// The order is that of tests/make/unicode_tables.py.
enum CharacterClass : uint16_t {
  kAlpha = 1 << 0,
  kDecimal = 1 << 1,
  kDigit = 1 << 2,
  kNumeric = 1 << 3,
  kLowercase = 1 << 4,
  kUppercase = 1 << 5,
  kTitlecase = 1 << 6,
  kSpace = 1 << 7,
  kPrintable = 1 << 8,
  kCased = 1 << 9,
  kCaseIgnorable = 1 << 10,
  kIdentifierStart = 1 << 11,
  kIdentifierPart = 1 << 12,
};

uint16_t character_class(char32_t c);  // bits of CharacterClass
inline bool is_class(char32_t c, uint16_t bits) { return (character_class(c) & bits) != 0; }
int decimal_value(char32_t c);  // of a kDecimal one: 0-9

// Full case mappings: one character may become three.
void append_lower(std::string& text, char32_t c);
void append_upper(std::string& text, char32_t c);
void append_title(std::string& text, char32_t c);
void append_folded(std::string& text, char32_t c);

}  // namespace gpy
