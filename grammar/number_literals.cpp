#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

#include "grammar/literals.h"

namespace gpy::syntax {
namespace {

// CPython's bound on decimal digits, whose conversion takes quadratic time.
constexpr size_t kMaxDecimalDigits = 4300;

struct Base {
  int value;
  std::string_view name;
};

bool is_digit_of(char c, const Base& base) {
  if (base.value == 16) return is_hex_digit(c);
  return c >= '0' && c < '0' + base.value;
}

bool begins_keyword_after_number(std::string_view rest) {
  constexpr std::string_view kWords[] = {"and", "else", "for", "if", "in", "is", "not", "or"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [rest](std::string_view word) { return rest.starts_with(word); });
}

// The hint for suffixes of other languages, `10L`, `1.5f`.
std::string hint_of_suffix(const char* at, const char* end) {
  std::string_view suffix(at, skip_identifier(at, end) - at);
  if (suffix == "L" || suffix == "l" || suffix == "u" || suffix == "U" || suffix == "UL") {
    return "ints have any size; write it without '" + std::string(suffix) + "'";
  }
  if (suffix == "f" || suffix == "F") return "write np.float32(...) for a float of 32 bits";
  return suffix == "i" ? "the imaginary unit is 'j'" : "";
}

// `1if x` is allowed, `1x` is not.
const char* check_end(const char* at, const char* end, std::string_view name) {
  if (skip_identifier(at, end) == at && (at == end || !is_digit(*at))) return at;
  if (begins_keyword_after_number({at, static_cast<size_t>(end - at)})) return at;
  throw LiteralError{at - 1, "invalid " + std::string(name) + " literal", hint_of_suffix(at, end)};
}

// Skips digits with single underscores between them, beginning with a digit.
const char* skip_decimal(const char* at, const char* end) {
  while (at < end && (is_digit(*at) || *at == '_')) {
    if (*at == '_' && (at + 1 == end || !is_digit(at[1]))) {
      throw LiteralError{at, "invalid decimal literal"};
    }
    ++at;
  }
  return at;
}

const char* skip_based(const char* at, const char* end, const Base& base) {
  auto fail = [&](const char* place) {
    std::string name(base.name);
    if (base.value < 10 && place < end && is_digit(*place)) {
      throw LiteralError{place,
                         std::string("invalid digit '") + *place + "' in " + name + " literal"};
    }
    throw LiteralError{place - 1, "invalid " + name + " literal"};
  };
  do {
    if (at < end && *at == '_') ++at;
    if (at == end || !is_digit_of(*at, base)) fail(at);
    while (at < end && is_digit_of(*at, base)) ++at;
  } while (at < end && *at == '_');
  if (at < end && is_digit(*at)) fail(at);
  return check_end(at, end, base.name);
}

const char* skip_exponent(const char* at, const char* end) {
  if (at == end || (*at | 32) != 'e') return at;
  const char* digits = at + 1;
  if (digits < end && (*digits == '+' || *digits == '-')) ++digits;
  if (digits < end && is_digit(*digits)) return skip_decimal(digits, end);
  if (digits != at + 1) throw LiteralError{at, "invalid decimal literal"};
  return at;
}

bool has_leading_zeros(const char* at, const char* end) {
  if (*at != '0') return false;
  return std::any_of(at, end, [](char c) { return c >= '1' && c <= '9'; });
}

[[noreturn]] void fail_leading_zeros(const char* at, const char* end) {
  std::string_view digits(at, end - at);
  auto decimal = std::string(digits.substr(digits.find_first_not_of("0_")));
  bool is_octal = digits.find_first_of("89_") == digits.npos;
  throw LiteralError{at,
                     "leading zeros in decimal integer literals are not permitted; "
                     "use an 0o prefix for octal integers",
                     "write " + decimal + (is_octal ? " or 0o" + decimal : "")};
}

// The number's base by its prefix; value 10 if it has none.
Base base_of(const char* at, const char* end) {
  if (end - at < 2 || *at != '0') return {10, "decimal"};
  switch (at[1] | 32) {
    case 'x': return {16, "hexadecimal"};
    case 'o': return {8, "octal"};
    case 'b': return {2, "binary"};
    default: return {10, "decimal"};
  }
}

std::string without_underscores(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

// Whether a number that is not zero and does not fit a double is too large, not too small.
bool is_overflow(std::string_view digits) {
  size_t mark = digits.find_first_of("eE");
  long exponent = 0;
  if (mark != digits.npos) {
    const char* from = digits.data() + mark + 1 + (digits[mark + 1] == '+');
    auto [end, status] = std::from_chars(from, digits.data() + digits.size(), exponent);
    if (status != std::errc()) return digits[mark + 1] != '-';
  }
  std::string_view mantissa = digits.substr(0, mark);
  size_t point = std::min(mantissa.find('.'), mantissa.size());
  size_t first = mantissa.find_first_not_of("0.");
  long magnitude = static_cast<long>(point) - static_cast<long>(first);
  return magnitude + exponent > 0;
}

double read_double(const std::string& digits) {
  double value = 0;
  auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status == std::errc()) return value;
  return is_overflow(digits) ? std::numeric_limits<double>::infinity() : 0.0;
}

std::string hex_from_binary_digits(std::string_view digits, int bits_per_digit) {
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    bits |= static_cast<unsigned>(*digit - '0') << count;
    for (count += bits_per_digit; count >= 4; count -= 4, bits >>= 4) {
      out += "0123456789abcdef"[bits & 15];
    }
  }
  if (bits > 0) out += "0123456789abcdef"[bits & 15];
  std::reverse(out.begin(), out.end());
  return out;
}

std::string big_integer_text(std::string_view digits, int base) {
  if (base == 10) return std::string(digits);
  digits.remove_prefix(digits.find_first_not_of('0'));
  if (base != 16) return "0x" + hex_from_binary_digits(digits, base == 8 ? 3 : 1);
  std::string hex = "0x";
  for (char c : digits) hex += static_cast<char>(std::tolower(c));
  return hex;
}

void read_integer(std::string_view digits, int base, const char* at, Arena& arena, Constant& out) {
  auto [end, status] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out.integer, base);
  if (status == std::errc()) {
    out.constant_kind = ConstantKind::Integer;
    return;
  }
  if (base == 10 && digits.size() > kMaxDecimalDigits) {
    throw LiteralError{at,
                       "Exceeds the limit (4300 digits) for integer string conversion: value has " +
                           std::to_string(digits.size()) +
                           " digits - Consider hexadecimal for huge integer literals to avoid "
                           "decimal conversion limits."};
  }
  out.constant_kind = ConstantKind::BigInteger;
  out.text = arena.copy(std::string_view(big_integer_text(digits, base)));
}

}  // namespace

const char* skip_number(const char* at, const char* end) {
  Base base = base_of(at, end);
  if (base.value != 10) return skip_based(at + 2, end, base);
  const char* begin = at;
  at = skip_decimal(at, end);
  const char* integer_end = at;
  if (at < end && *at == '.') {
    ++at;
    if (at < end && is_digit(*at)) at = skip_decimal(at, end);
  }
  at = skip_exponent(at, end);
  if (at < end && (*at | 32) == 'j') return check_end(at + 1, end, "imaginary");
  if (at == integer_end && has_leading_zeros(begin, at)) fail_leading_zeros(begin, at);
  return check_end(at, end, "decimal");
}

void read_number(std::string_view text, Arena& arena, Constant& out) {
  Base base = base_of(text.data(), text.data() + text.size());
  std::string digits = without_underscores(base.value == 10 ? text : text.substr(2));
  if (base.value != 10) return read_integer(digits, base.value, text.data(), arena, out);
  bool is_imaginary = (digits.back() | 32) == 'j';
  if (is_imaginary) digits.pop_back();
  if (!is_imaginary && digits.find_first_of(".eE") == digits.npos) {
    return read_integer(digits, 10, text.data(), arena, out);
  }
  out.constant_kind = is_imaginary ? ConstantKind::Imaginary : ConstantKind::Float;
  out.real = read_double(digits);
}

}  // namespace gpy::syntax
