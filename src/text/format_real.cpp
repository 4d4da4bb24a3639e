// The digits of a float.
#include <charconv>
#include <cmath>

#include "src/text/format.h"
#include "src/text/format_spec.h"

namespace gpy {

namespace {

// digits[0].digits[1..] * 10^exponent
struct Decimal {
  std::string digits;
  int exponent = 0;
};

}  // namespace

static Decimal read_scientific(const char* begin, const char* end) {
  Decimal decimal;
  const char* at = begin;
  for (; at < end && *at != 'e'; ++at) {
    if (*at != '.') decimal.digits.push_back(*at);
  }
  const char* exponent = at + 1 < end && at[1] == '+' ? at + 2 : at + 1;
  std::from_chars(exponent, end, decimal.exponent);
  return decimal;
}

static Decimal shortest(double number) {
  char buffer[32];
  auto end =
      std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr;
  return read_scientific(buffer, end);
}

static std::string printed(double number, std::chars_format format, int precision) {
  constexpr size_t kLongestWhole = 330;
  std::string text(kLongestWhole + static_cast<size_t>(precision), '\0');
  auto end = std::to_chars(text.data(), text.data() + text.size(), number, format, precision).ptr;
  text.resize(static_cast<size_t>(end - text.data()));
  return text;
}

static std::string exponent_text(int exponent) {
  std::string digits = std::to_string(std::abs(exponent));
  if (digits.size() < 2) digits.insert(0, 1, '0');
  return std::string("e") + (exponent < 0 ? "-" : "+") + digits;
}

static std::string with_exponent(const Decimal& decimal, bool keep_point) {
  std::string text = decimal.digits.substr(0, 1);
  if (decimal.digits.size() > 1 || keep_point) text += '.';
  return text + decimal.digits.substr(1) + exponent_text(decimal.exponent);
}

static std::string without_exponent(const Decimal& decimal, const RealStyle& style) {
  std::string digits = decimal.digits;
  int whole = decimal.exponent + 1;  // digits before the point
  if (whole <= 0) {
    digits.insert(0, static_cast<size_t>(1 - whole), '0');
    whole = 1;
  }
  auto count = static_cast<size_t>(whole);
  if (digits.size() < count) digits.append(count - digits.size(), '0');
  std::string text = digits.substr(0, count);
  if (digits.size() > count) return text + "." + digits.substr(count);
  if (style.add_point_zero) return text + ".0";
  return style.alternate ? text + "." : text;
}

static void drop_trailing_zeros(std::string& digits) {
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
}

static std::string general(double number, const RealStyle& style) {
  int precision = std::max(static_cast<int>(style.precision), 1);
  std::string text = printed(number, std::chars_format::scientific, precision - 1);
  Decimal decimal = read_scientific(text.data(), text.data() + text.size());
  bool exponent =
      decimal.exponent < -4 || decimal.exponent + 1 > precision - (style.add_point_zero ? 1 : 0);
  if (!style.alternate) drop_trailing_zeros(decimal.digits);
  return exponent ? with_exponent(decimal, style.alternate) : without_exponent(decimal, style);
}

static std::string shortest_text(double number, const RealStyle& style) {
  Decimal decimal = shortest(number);
  bool exponent = decimal.exponent < -4 || decimal.exponent >= 16;
  return exponent ? with_exponent(decimal, style.alternate) : without_exponent(decimal, style);
}

static std::string scientific(double number, const RealStyle& style) {
  std::string text =
      printed(number, std::chars_format::scientific, static_cast<int>(style.precision));
  Decimal decimal = read_scientific(text.data(), text.data() + text.size());
  return with_exponent(decimal, style.alternate);
}

static std::string fixed(double number, const RealStyle& style) {
  std::string text = printed(number, std::chars_format::fixed, static_cast<int>(style.precision));
  return style.precision == 0 && style.alternate ? text + "." : text;
}

static std::string finite_magnitude(double number, const RealStyle& style) {
  switch (style.code | 0x20) {
    case 'e': return scientific(number, style);
    case 'f': return fixed(number, style);
    case 'g': return general(number, style);
    default: return shortest_text(number, style);
  }
}

std::string real_magnitude(double number, const RealStyle& style) {
  number = std::fabs(number);
  std::string text = std::isnan(number)   ? "nan"
                     : std::isinf(number) ? "inf"
                                          : finite_magnitude(number, style);
  bool upper = style.code >= 'A' && style.code <= 'Z';
  for (char& c : text) {
    if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  return text;
}

std::string real_to_text(double number) {
  std::string text = real_magnitude(number, {.add_point_zero = true});
  return std::signbit(number) && !std::isnan(number) ? "-" + text : text;
}

}  // namespace gpy
