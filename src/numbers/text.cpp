// Ints to digits and back, and to and from floats.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "src/numbers/big_arithmetic.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/objects/int.h"
#include "src/memory/pieces.h"

namespace gpy {

Value int_from_real(Interpreter& vm, double number) {
  if (std::isnan(number)) vm.raise_value_error("cannot convert float NaN to integer");
  if (std::isinf(number)) vm.raise_overflow_error("cannot convert float infinity to integer");
  double whole = std::trunc(number);
  if (std::fabs(whole) < 9.2e18) return Value::integer(static_cast<int64_t>(whole));
  return from_big(vm, BigInt(whole));
}

// Appends the digits in base 2, 8 or 16.
static void append_bit_digits(Interpreter& vm, std::string& text, const BigInt& number, int base) {
  const unsigned bits = base == 2 ? 1 : base == 8 ? 3 : 4;
  size_t count = number.is_zero() ? 0 : msb(abs(number)) / bits + 1;
  vm.claim(count, 2);
  InterruptPoll poll(vm);
  while (count-- > 0) {
    poll.step();
    text.push_back("0123456789abcdef"[bits_at(number, count * bits, bits)]);
  }
}

std::string int_to_text(const Value& number, int base) {
  if (!number.is_object()) {
    char buffer[72];
    auto end = std::to_chars(buffer, buffer + sizeof buffer, number.as_integer(), base).ptr;
    return std::string(buffer, end);
  }
  const BigInt& big = number.as<Int>()->value;
  Interpreter& vm = *number.as_object()->type->vm;
  if (base == 10) return decimal_digits(vm, big);
  std::string text = big < 0 ? "-" : "";
  append_bit_digits(vm, text, big, base);
  return text;
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

static std::string_view strip(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\v\f";
  size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// Removes "0x", "0o", "0b" and determines base 0. False: not a number.
static bool take_prefix(std::string_view& text, int& base) {
  int named = 0;
  if (text.size() > 1 && text[0] == '0') {
    char letter = static_cast<char>(text[1] | 0x20);
    named = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
  }
  if (named && (base == 0 || base == named)) {
    base = named;
    text.remove_prefix(2);
    if (!text.empty() && text[0] == '_') text.remove_prefix(1);
  } else if (base == 0) {
    bool zeros_only = text.find_first_not_of("0_") == std::string_view::npos;
    if (!text.empty() && text[0] == '0' && !zeros_only) return false;
    base = 10;
  }
  return true;
}

std::optional<Value> int_from_text(Interpreter& vm, std::string_view text, int base) {
  text = strip(text);
  bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (!take_prefix(text, base)) return std::nullopt;
  if (text.empty() || text.front() == '_' || text.back() == '_') return std::nullopt;
  std::string digits;
  digits.reserve(text.size());
  char previous = 0;
  InterruptPoll poll(vm);
  for (char c : text) {
    poll.step();
    if (c == '_' && previous == '_') return std::nullopt;
    previous = c;
    if (c == '_') continue;
    int digit = digit_of(c);
    if (digit >= base) return std::nullopt;
    digits.push_back(static_cast<char>(digit));
  }
  BigInt big = from_digits(vm, digits, static_cast<unsigned>(base));
  return from_big(vm, negative ? BigInt(-big) : big);
}

}  // namespace gpy
