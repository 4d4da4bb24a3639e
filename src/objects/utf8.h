#pragma once
// Generalized UTF-8, the encoding of every string of the language: each code point from 0 to
// 0x10FFFF in its shortest form, lone surrogates included (three bytes each; two of them never
// become one character). Nothing here reads past the end of a given text.

#include <cstddef>
#include <string>
#include <string_view>

namespace gpy {

constexpr bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

// The part of a text's front that is generalized UTF-8, in bytes and in code points.
struct MeasuredUtf8 {
  size_t bytes = 0, code_points = 0;
};
MeasuredUtf8 measure_utf8(std::string_view text);
// Counts in a text that is known to be generalized UTF-8.
size_t count_code_points(std::string_view text);

// Steps over one code point; `at` is before `end`. A byte that begins none is taken alone, as the
// surrogate U+DC80 to U+DCFF that stands for it, so every text can be traversed.
char32_t decode_beyond_ascii(const char*& at, const char* end);
inline char32_t decode_utf8(const char*& at, const char* end) {
  if (*at >= 0) [[likely]]
    return static_cast<char32_t>(*at++);
  return decode_beyond_ascii(at, end);
}
void append_utf8(std::string& text, char32_t code_point);

// Whether bytes are standard UTF-8, which has no surrogates.
bool is_valid_utf8(std::string_view bytes);
// Replaces each byte that is not valid UTF-8 by its surrogate ("surrogateescape").
std::string escape_bytes(std::string_view bytes);
// Converts those surrogates back to bytes; other surrogates stay.
std::string unescape_bytes(std::string_view text);
// Like escape_bytes, but surrogates that the text has already stay.
std::string escape_malformed(std::string_view text);
// Replaces each surrogate by its escape, "\udcff": the text becomes valid UTF-8.
std::string spell_surrogates(std::string_view text);

}  // namespace gpy
