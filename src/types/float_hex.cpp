#include "src/types/float_hex.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "src/text/format.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"

namespace gpy {

Value float_hex(Interpreter& vm, double x) {
  if (!std::isfinite(x)) return vm.str(real_to_text(x));
  const char* sign = std::signbit(x) ? "-" : "";
  if (x == 0) return vm.str(fmt::format("{}0x0.0p+0", sign));
  int exponent;
  double mantissa = std::frexp(std::fabs(x), &exponent);  // in [0.5, 1)
  constexpr int kSmallest = -1021;
  int shift = 1 - std::max(kSmallest - exponent, 0);
  mantissa = std::ldexp(mantissa, shift);
  exponent -= shift;
  auto lead = static_cast<int>(mantissa);
  auto rest = static_cast<uint64_t>(std::ldexp(mantissa - lead, 52));
  return vm.str(fmt::format("{}0x{}.{:013x}p{:+d}", sign, lead, rest, exponent));
}

// Whether text is [0x]hex digits with a point, and a binary exponent; the caller checks the rest.
static bool is_hex_number(std::string_view text) {
  size_t at = text.size() > 1 && text[0] == '0' && (text[1] | 0x20) == 'x' ? 2 : 0;
  size_t digits = 0, points = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '.') {
      ++points;
    } else if (std::isxdigit(static_cast<unsigned char>(text[at]))) {
      ++digits;
    } else {
      break;
    }
  }
  if (digits == 0 || points > 1) return false;
  if (at == text.size()) return true;
  if ((text[at] | 0x20) != 'p') return false;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  if (at == text.size()) return false;
  return text.find_first_not_of("0123456789", at) == text.npos;
}

static std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\v\f";
  size_t begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kSpace) - begin + 1));
}

Value float_from_hex(Interpreter& vm, const Value& cls, const Value& string) {
  std::string text = trimmed(vm.to_text(string, "fromhex() argument"));
  bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.erase(0, 1);
  bool word = !text.empty() && ((text[0] | 0x20) == 'i' || (text[0] | 0x20) == 'n');
  std::optional<double> special = word ? real_from_text(text) : std::nullopt;
  if (!special && !is_hex_number(text)) {
    vm.raise_value_error("invalid hexadecimal floating-point string");
  }
  if (!special && text.find_first_of("xX") == text.npos) text.insert(0, "0x");
  double magnitude = special ? *special : std::strtod(text.c_str(), nullptr);
  if (!special && std::isinf(magnitude)) {
    vm.raise_overflow_error("hexadecimal value too large to represent as a float");
  }
  const Value number = Value::real(negative ? -magnitude : magnitude);
  return cls.as<Type>() == vm.types.real ? number : vm.call(cls, {number});
}

}  // namespace gpy
