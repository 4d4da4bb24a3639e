#pragma once

// Characters and words of the language, for the rules, the literals and the error finder.
// Pure functions over [at, end); nothing here allocates or fails by exception.

#include <cstdint>
#include <string_view>

namespace gpy::syntax {

struct CodePoint {
  char32_t value = 0;
  int length = 0;  // in bytes; 0: not UTF-8
};

[[nodiscard]] CodePoint decode_utf8(const char* at, const char* end);
// Offset of the first byte that is not UTF-8, or npos.
[[nodiscard]] size_t find_invalid_utf8(std::string_view text);
// CPython's reason why the byte is invalid, where more text follows it.
[[nodiscard]] std::string_view why_invalid_utf8(char lead);
[[nodiscard]] bool is_printable(char32_t code);

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_hex_digit(char c) {
  return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}
[[nodiscard]] constexpr bool is_ascii_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
[[nodiscard]] constexpr bool is_opener(char c) { return c == '(' || c == '[' || c == '{'; }
[[nodiscard]] constexpr bool is_closer(char c) { return c == ')' || c == ']' || c == '}'; }
[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

// End of the identifier (or keyword) at `at`; `at` itself if there is none.
[[nodiscard]] const char* skip_identifier(const char* at, const char* end);
[[nodiscard]] bool is_keyword(std::string_view word);

// Bytes of the operator or delimiter at `at` by longest match; 0 if there is none.
[[nodiscard]] int operator_length(const char* at, const char* end);

// The beginning of a string: prefix letters and quotes. `length` 0: there is no string.
struct StringStart {
  int length = 0;  // prefix and opening quotes
  char quote = 0;
  bool is_triple = false;
  bool is_raw = false;
  bool is_bytes = false;
  bool is_formatted = false;
  [[nodiscard]] int quote_length() const { return is_triple ? 3 : 1; }
};

[[nodiscard]] StringStart string_start(const char* at, const char* end);
// The position past the closing quotes of the string that begins at `at`; null if it never closes.
[[nodiscard]] const char* skip_string(const char* at, const char* end, const StringStart& start);
[[nodiscard]] bool at_closing_quotes(const char* at, const char* end, const StringStart& start);

}  // namespace gpy::syntax
