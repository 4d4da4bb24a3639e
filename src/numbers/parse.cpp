// Conversion of text to float.
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "src/numbers/number.h"
#include "src/interpreter.h"
#include "src/text/unicode.h"

namespace gpy {

std::string ascii_digits(std::string_view text) {
  auto is_ascii = [](char c) { return static_cast<signed char>(c) >= 0; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return std::string(text);
  std::string result;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    char32_t c = decode_utf8(at, end);
    if (c >= 128 && is_class(c, kDecimal)) {
      result.push_back(static_cast<char>('0' + decimal_value(c)));
    } else if (c >= 128 && is_class(c, kSpace)) {
      result.push_back(' ');
    } else {
      append_utf8(result, c);
    }
  }
  return result;
}

static std::string_view strip(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\v\f\x1c\x1d\x1e\x1f";
  size_t begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// False if an underscore is not between two digits.
static bool drop_underscores(std::string_view text, std::string& plain) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      plain.push_back(text[i]);
    } else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1])) {
      return false;
    }
  }
  return true;
}

static bool same_word(std::string_view text, std::string_view word) {
  if (text.size() != word.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != word[i]) return false;
  }
  return true;
}

// Parses a number without sign and underscores.
static std::optional<double> parse_magnitude(std::string_view text) {
  if (same_word(text, "inf") || same_word(text, "infinity")) return __builtin_inf();
  if (same_word(text, "nan")) return __builtin_nan("");
  if (text.empty() || !(is_digit(text[0]) || text[0] == '.')) return std::nullopt;
  double number = 0;
  const char* end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, number);
  if (result.ptr != end || result.ec == std::errc::invalid_argument) return std::nullopt;
  if (result.ec == std::errc::result_out_of_range)
    return std::strtod(std::string(text).c_str(), nullptr);
  return number;
}

std::optional<double> real_from_text(std::string_view text) {
  text = strip(text);
  std::string plain;
  if (text.find('_') != text.npos) {
    if (!drop_underscores(text, plain)) return std::nullopt;
    text = plain;
  }
  bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  std::optional<double> magnitude = parse_magnitude(text);
  if (magnitude && negative) return -*magnitude;
  return magnitude;
}

}  // namespace gpy
