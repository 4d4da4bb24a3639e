#include "runtime/text/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "runtime/core/half.h"
#include "runtime/memory/account.h"

namespace gpy::rt {
namespace {

// d.ddd times ten to the `exponent`; the first digit is not zero unless the number is.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal parse_scientific(std::string_view text) {
  Decimal result;
  const size_t e = text.find('e');
  for (char c : text.substr(0, e)) {
    if (c != '.') result.digits += c;
  }
  const char* exponent = text.data() + e + 1;
  if (*exponent == '+') ++exponent;
  std::from_chars(exponent, text.data() + text.size(), result.exponent);
  return result;
}

// Exactly `count` digits of the exact value, half to even.
template <class T> Decimal rounded_digits(T value, int count) {
  std::string text(static_cast<size_t>(count) + 16, '\0');
  auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                           std::chars_format::scientific, count - 1);
  return parse_scientific({text.data(), end.ptr});
}

template <class T> Decimal shortest_digits(T value) {
  char text[40];
  auto end = std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific);
  return parse_scientific({text, end.ptr});
}

std::string text_of(const Decimal& number) {
  return number.digits + "e" +
         std::to_string(number.exponent - static_cast<int>(number.digits.size()) + 1);
}

double to_double(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void drop_zeros(std::string& digits, size_t least) {
  while (digits.size() > least && digits.back() == '0') digits.pop_back();
}

// The digits that Dragon4 writes of `count`: no zeros for nines that rounding up has carried, nor
// behind the last digit of the exact value.
template <class T> Decimal dragon4_digits(T value, int count) {
  Decimal rounded = rounded_digits(value, count);
  if (rounded.digits.back() != '0') return rounded;
  constexpr int kAllDigits = sizeof(T) == sizeof(double) ? 768 : 11516;  // of any number
  const Decimal exact = rounded_digits(value, kAllDigits);
  const bool is_below =
      exact.exponent == rounded.exponent && exact.digits.starts_with(rounded.digits) &&
      exact.digits.find_first_not_of('0', rounded.digits.size()) != std::string::npos;
  if (!is_below) drop_zeros(rounded.digits, 1);
  return rounded;
}

Decimal next_up(Decimal number) {
  for (size_t i = number.digits.size(); i-- > 0;) {
    if (++number.digits[i] <= '9') return number;
    number.digits[i] = '0';
  }
  number.digits.front() = '1';
  ++number.exponent;
  return number;
}

// Five digits tell any two halves apart. The nearest decimal may lie outside a half's interval
// where the one above it lies inside: below a power of two the interval is narrower.
Decimal shortest_half_digits(double value) {
  const uint16_t half = half_from_double(value);
  for (int count = 1; count < 5; ++count) {
    Decimal nearest = rounded_digits(value, count);
    if (half_from_double(to_double(text_of(nearest))) == half) return nearest;
    Decimal above = next_up(nearest);
    if (half_from_double(to_double(text_of(above))) == half) return above;
  }
  return rounded_digits(value, 5);
}

// What the digits of a number depend on besides its value: the type that it is read back as.
struct Doubles {
  using Number = double;
  DType type;
  LegacyLayout legacy = LegacyLayout::kNone;

  Decimal shortest(double value) const {
    if (type == DType::kFloat16) return shortest_half_digits(value);
    if (type == DType::kFloat32) return shortest_digits(static_cast<float>(value));
    return shortest_digits(value);
  }
  double read(const std::string& text) const { return to_double(text); }
  double rounded(double value) const { return Scalar::of(type, value).as_double(); }
  // Scalars below the one, or from the other on, are written with an exponent.
  double least_positional() const { return 1e-4; }
  double least_scientific() const {
    if (legacy != LegacyLayout::kNone) return 1e16;
    if (type == DType::kFloat16) return 1e3;
    return type == DType::kFloat32 ? 1e6 : 1e16;
  }
};

struct LongDoubles {
  using Number = long double;

  Decimal shortest(long double value) const { return shortest_digits(value); }
  long double read(const std::string& text) const { return read_long_double(text).value; }
  long double rounded(long double value) const { return value; }
  long double least_positional() const { return 1e-4L; }
  long double least_scientific() const { return 1e16L; }
};

template <class Type> using NumberOf = typename Type::Number;

template <class Type> Decimal shortest_digits(Type type, NumberOf<Type> value) {
  Decimal result = type.shortest(value);
  drop_zeros(result.digits, 1);
  return result;
}

// More digits than the shortest are those of the exact value. At a power of two, where the
// interval is lopsided, Dragon4 stays inside it even if that is not the nearest.
template <class Type>
Decimal extended_digits(Type type, NumberOf<Type> value, const Decimal& shortest, int count) {
  Decimal exact = dragon4_digits(value, count);
  int exponent;
  const bool power_of_two = std::frexp(value, &exponent) == NumberOf<Type>(0.5);
  if (power_of_two && type.rounded(type.read(text_of(exact))) != value) return shortest;
  return exact;
}

// At most and at least so many digits; 0: no limit, where they begin as the shortest.
template <class Type>
Decimal significant_digits(Type type, NumberOf<Type> value, bool unique, int most, int fewest) {
  if (!unique) return dragon4_digits(value, most);
  Decimal shortest = shortest_digits(type, value);
  const int count = static_cast<int>(shortest.digits.size());
  if (most > 0 && count > most) return dragon4_digits(value, most);
  if (count < fewest) return extended_digits(type, value, shortest, fewest);
  return shortest;
}

// The digits before and after the point.
struct Split {
  std::string whole;
  std::string fraction;
};

template <class T> Split split_rounded(T value, int places) {
  constexpr size_t kLongest = std::numeric_limits<T>::max_exponent10 + 22;
  std::string text(static_cast<size_t>(places) + kLongest, '\0');
  auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed,
                           places);
  text.resize(end.ptr - text.data());
  const size_t point = text.find('.');
  if (point == std::string::npos) return {text, ""};
  return {text.substr(0, point), text.substr(point + 1)};
}

Split split_decimal(const Decimal& number) {
  if (number.digits == "0") return {"0", ""};
  const int count = static_cast<int>(number.digits.size());
  if (number.exponent < 0) {
    return {"0", std::string(-number.exponent - 1, '0') + number.digits};
  }
  if (count <= number.exponent + 1) {
    return {number.digits + std::string(number.exponent + 1 - count, '0'), ""};
  }
  return {number.digits.substr(0, number.exponent + 1), number.digits.substr(number.exponent + 1)};
}

template <class Type> Split split_fewer(Type type, NumberOf<Type> value, int places) {
  Split rounded = split_rounded(value, places);
  const std::string text = rounded.whole + "." + rounded.fraction;
  if (type.read(text) > value) drop_zeros(rounded.fraction, 0);
  return rounded;
}

template <class Type>
Split positional_digits(Type type, NumberOf<Type> value, const FloatStyle& style) {
  if (!style.fractional) {
    return split_decimal(
        significant_digits(type, value, style.unique, style.precision, style.min_digits));
  }
  if (!style.unique) return split_rounded(value, style.precision);
  Split shortest = split_decimal(shortest_digits(type, value));
  const int places = static_cast<int>(shortest.fraction.size());
  if (style.precision >= 0 && places > style.precision)
    return split_fewer(type, value, style.precision);
  if (places < style.min_digits) return split_rounded(value, style.min_digits);
  return shortest;
}

// ".5", "." or "" after so many digits before the point.
std::string fraction_text(std::string digits, size_t before, const FloatStyle& style) {
  if (style.trim == Trim::kNone) {
    const int wanted = style.unique ? style.min_digits : style.precision;
    const int places = style.fractional ? wanted : wanted - static_cast<int>(before);
    const int missing = places - static_cast<int>(digits.size());
    return "." + digits.append(static_cast<size_t>(std::max(missing, 0)), '0');
  }
  drop_zeros(digits, 0);
  if (!digits.empty()) return "." + digits;
  if (style.trim == Trim::kPoint) return "";
  return style.trim == Trim::kOneZero ? ".0" : ".";
}

std::string signed_and_padded(bool is_negative, std::string whole, const FloatStyle& style) {
  if (is_negative) {
    whole.insert(0, 1, '-');
  } else if (style.plus) {
    whole.insert(0, 1, '+');
  }
  const auto width = static_cast<size_t>(std::max(style.pad_left, 0));
  if (whole.size() < width) whole.insert(0, width - whole.size(), ' ');
  return whole;
}

std::string exponent_text(int exponent, int min_digits) {
  std::string digits = std::to_string(std::abs(exponent));
  const auto width = static_cast<size_t>(min_digits < 0 ? 2 : min_digits);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return (exponent < 0 ? "e-" : "e+") + digits;
}

// The charge for so many digits and spaces, a few times over.
Charge charge_for(const FloatStyle& style) {
  constexpr size_t kCopies = 4;
  size_t characters = 0;
  for (int each :
       {style.precision, style.min_digits, style.pad_left, style.pad_right, style.exp_digits}) {
    characters += static_cast<size_t>(std::max(each, 0));
  }
  return Charge(kCopies * characters);
}

template <class Type>
std::string positional(Type type, NumberOf<Type> value, const FloatStyle& style) {
  const Charge room = charge_for(style);
  Split split = positional_digits(type, std::fabs(value), style);
  std::string fraction = fraction_text(std::move(split.fraction), split.whole.size(), style);
  const auto width = static_cast<size_t>(std::max(style.pad_right, -1) + 1);
  if (fraction.size() < width) fraction.append(width - fraction.size(), ' ');
  return signed_and_padded(std::signbit(value), std::move(split.whole), style) + fraction;
}

template <class Type>
std::string scientific(Type type, NumberOf<Type> value, const FloatStyle& style) {
  const Charge room = charge_for(style);
  const Decimal number = significant_digits(type, std::fabs(value), style.unique,
                                            style.precision + 1, style.min_digits + 1);
  std::string fraction = fraction_text(number.digits.substr(1), 1, style);
  if (fraction.empty() && number.digits.size() > 1) fraction = ".";  // NumPy leaves it there
  return signed_and_padded(std::signbit(value), number.digits.substr(0, 1), style) + fraction +
         exponent_text(number.exponent, style.exp_digits);
}

}  // namespace

ReadLongDouble read_long_double(const std::string& text) {
  // std::from_chars reads no subnormal ones, and std::strtold hears of the host's locale.
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  char* end = nullptr;
  errno = 0;
  const long double value = strtold_l(text.c_str(), &end, plain);
  return {value, static_cast<size_t>(end - text.c_str()), errno == ERANGE};
}

std::string positional_text(double value, DType type, const FloatStyle& style) {
  return positional(Doubles{type}, value, style);
}
std::string positional_text(long double value, const FloatStyle& style) {
  return positional(LongDoubles(), value, style);
}
std::string scientific_text(double value, DType type, const FloatStyle& style) {
  return scientific(Doubles{type}, value, style);
}
std::string scientific_text(long double value, const FloatStyle& style) {
  return scientific(LongDoubles(), value, style);
}

namespace {

template <class T> std::string special_text(T value) {
  if (std::isnan(value)) return "nan";
  return value < 0 ? "-inf" : "inf";
}

template <class Type> std::string real_text(Type type, NumberOf<Type> value, Trim positional_trim) {
  if (!std::isfinite(value)) return special_text(value);
  const NumberOf<Type> size = std::fabs(value);
  if (size == 0 || (size >= type.least_positional() && size < type.least_scientific())) {
    return positional(type, value, {.trim = positional_trim});
  }
  return scientific(type, value, {.trim = Trim::kPoint});
}

template <class Type> std::string complex_text(Type part, std::complex<NumberOf<Type>> value) {
  const std::string imag = real_text(part, value.imag(), Trim::kPoint);
  if (value.real() == 0 && !std::signbit(value.real())) return imag + "j";
  const bool has_sign = imag[0] == '-' || imag[0] == '+';
  return "(" + real_text(part, value.real(), Trim::kPoint) + (has_sign ? "" : "+") + imag + "j)";
}

constexpr Doubles kFloat64s = {DType::kFloat64};

}  // namespace

std::string float_repr(double value) { return real_text(kFloat64s, value, Trim::kOneZero); }

std::string complex_repr(std::complex<double> value) { return complex_text(kFloat64s, value); }

namespace {

std::string scalar_text(const Scalar& value, LegacyLayout legacy) {
  if (value.dtype() == DType::kBFloat16) {
    const double number = value.as_double();
    return std::isfinite(number) ? fmt::format("{:g}", number) : special_text(number);
  }
  switch (kind(value.dtype())) {
    case DTypeKind::kBool: return value.truth() ? "True" : "False";
    case DTypeKind::kSigned: return std::to_string(value.as_int());
    case DTypeKind::kUnsigned: return std::to_string(value.as_unsigned());
    case DTypeKind::kFloat:
      return real_text(Doubles{value.dtype(), legacy}, value.as_double(), Trim::kOneZero);
    case DTypeKind::kComplex:
      return complex_text(Doubles{real_type(value.dtype()), legacy}, value.as_complex());
  }
  return {};
}

// With the type's name around it.
std::string named_text(const Scalar& value, LegacyLayout legacy) {
  std::string text = scalar_text(value, legacy);
  if (value.dtype() == DType::kBool) return "np." + text + "_";
  if (!is_numpys_own(value.dtype())) return text;
  if (text.front() == '(') text = text.substr(1, text.size() - 2);
  return "np." + std::string(name(value.dtype())) + "(" + text + ")";
}

// printf's "%.*g", with ".0" behind what would read as an integer: numpy 1.13's text of a number.
template <class T> std::string digits_text(T value, int digits) {
  if (!std::isfinite(value)) return special_text(value);
  const std::string text = fmt::format("{:.{}g}", value, digits);
  const bool whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return whole ? text + ".0" : text;
}

// A part of a complex number, which stays without ".0".
template <class T> std::string part_text(T value, int digits, bool plus) {
  const std::string sign = plus && (std::isnan(value) || !std::signbit(value)) ? "+" : "";
  if (!std::isfinite(value)) return sign + special_text(value);
  return sign + fmt::format("{:.{}g}", value, digits);
}

template <class T> std::string digits_text(const std::complex<T>& value, int digits) {
  const std::string unit = std::isfinite(value.imag()) ? "j" : "*j";
  if (value.real() == 0 && !std::signbit(value.real())) {
    return part_text(value.imag(), digits, false) + unit;
  }
  return "(" + part_text(value.real(), digits, false) + part_text(value.imag(), digits, true) +
         unit + ")";
}

std::string digits_text(const Scalar& value, int digits) {
  if (is_float(value.dtype())) return digits_text(value.as_double(), digits);
  return digits_text(value.as_complex(), digits);
}

bool has_fixed_digits(const Scalar& value, LegacyLayout legacy) {
  return legacy == LegacyLayout::k1_13 && is_numpys_own(value.dtype()) && is_inexact(value.dtype());
}

bool is_double(const Scalar& value) {
  return value.dtype() == DType::kFloat64 || value.dtype() == DType::kComplex128;
}

}  // namespace

std::string scalar_str(const Scalar& value, LegacyLayout legacy) {
  if (!has_fixed_digits(value, legacy)) return scalar_text(value, legacy);
  return digits_text(value, is_double(value) ? 12 : 6);
}

std::string scalar_repr(const Scalar& value, LegacyLayout legacy) {
  if (legacy > LegacyLayout::k1_25) return named_text(value, legacy);
  if (!has_fixed_digits(value, legacy)) return scalar_text(value, legacy);
  return digits_text(value, is_double(value) ? 17 : 8);
}

std::string long_double_str(long double value, int digits) {
  return digits ? digits_text(value, digits) : real_text(LongDoubles(), value, Trim::kOneZero);
}
std::string long_double_str(const std::complex<long double>& value, int digits) {
  return digits ? digits_text(value, digits) : complex_text(LongDoubles(), value);
}

std::string item_repr(const Scalar& value) {
  if (is_complex(value.dtype())) return complex_repr(value.as_complex());
  return is_float(value.dtype()) ? float_repr(value.as_double()) : scalar_str(value);
}

}  // namespace gpy::rt
