#include "runtime/io/percent_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "runtime/core/error.h"
#include "runtime/text/number_text.h"

namespace gpy::rt {
namespace {

constexpr std::string_view kIntegerConversions = "diuxXo";
constexpr std::string_view kFloatConversions = "eEfFgG";
constexpr std::string_view kTextConversions = "sra";

// Widths and precisions beyond this are a mistake, not a wish.
constexpr int kMaxWidth = 100000;

class SpecReader {
 public:
  explicit SpecReader(std::string_view format) : format_(format) {}

  // Text up to the next conversion, "%%" made "%".
  std::string literal() {
    std::string text;
    for (; at_ < format_.size(); ++at_) {
      if (format_[at_] != '%') {
        text += format_[at_];
      } else if (at_ + 1 < format_.size() && format_[at_ + 1] == '%') {
        text += format_[at_++];
      } else {
        break;
      }
    }
    return text;
  }
  bool at_end() const { return at_ >= format_.size(); }

  PercentSpec spec() {
    PercentSpec spec;
    ++at_;
    while (!at_end() && read_flag(spec)) ++at_;
    spec.width = std::max(number(), 0);
    if (!at_end() && format_[at_] == '.') {
      ++at_;
      spec.precision = std::max(number(), 0);
    }
    while (!at_end() && std::string_view("hlL").find(format_[at_]) != std::string_view::npos) {
      ++at_;
    }
    if (at_end()) fail(ErrorKind::kValue, "incomplete format");
    spec.conversion = format_[at_++];
    check_conversion(spec.conversion);
    return spec;
  }

 private:
  bool read_flag(PercentSpec& spec) const {
    switch (format_[at_]) {
      case '-': return spec.minus = true;
      case '+': return spec.plus = true;
      case ' ': return spec.space = true;
      case '0': return spec.zero = true;
      case '#': return spec.alternate = true;
      default: return false;
    }
  }
  int number() {
    int value = -1;
    const char* start = format_.data() + at_;
    const auto result = std::from_chars(start, format_.data() + format_.size(), value);
    if (result.ec == std::errc::result_out_of_range || value > kMaxWidth) {
      fail(ErrorKind::kValue, "width or precision too big in fmt");
    }
    at_ += result.ptr - start;
    return value;
  }
  void check_conversion(char c) const {
    for (std::string_view known : {kIntegerConversions, kFloatConversions, kTextConversions}) {
      if (known.find(c) != known.npos) return;
    }
    fail(ErrorKind::kValue, "unsupported format character '{}' (0x{:x}) at index {}", c,
         static_cast<unsigned char>(c), at_ - 1);
  }

  std::string_view format_;
  size_t at_ = 0;
};

// Puts the sign before the digits, and zeros or spaces where the width asks for them.
std::string padded(const PercentSpec& spec, std::string sign, std::string digits, bool zeros) {
  const size_t size = sign.size() + digits.size();
  const size_t missing = static_cast<size_t>(spec.width) > size ? spec.width - size : 0;
  if (spec.minus) return sign + digits + std::string(missing, ' ');
  if (zeros) return sign + std::string(missing, '0') + digits;
  return std::string(missing, ' ') + sign + digits;
}

std::string sign_text(const PercentSpec& spec, bool negative) {
  if (negative) return "-";
  return spec.plus ? "+" : spec.space ? " " : "";
}

// The digits of |value| cut to an integer.
std::string integer_digits(double value) {
  if (std::isnan(value)) fail(ErrorKind::kValue, "cannot convert float NaN to integer");
  if (std::isinf(value)) fail(ErrorKind::kOverflow, "cannot convert float infinity to integer");
  char text[400];
  const auto end = std::to_chars(text, text + sizeof(text), std::trunc(std::fabs(value)),
                                 std::chars_format::fixed, 0);
  return {text, end.ptr};
}

std::string integer_digits(uint64_t size, char conversion) {
  const int base = conversion == 'o' ? 8 : conversion == 'x' || conversion == 'X' ? 16 : 10;
  char text[24];
  const auto end = std::to_chars(text, text + sizeof(text), size, base);
  return {text, end.ptr};
}

std::string base_prefix(const PercentSpec& spec) {
  const bool has_prefix =
      spec.alternate && std::string_view("xXo").find(spec.conversion) != std::string_view::npos;
  return has_prefix ? std::string{'0', spec.conversion} : "";
}

void to_upper(std::string& text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

std::string integer_text(const PercentSpec& spec, const Scalar& value) {
  bool negative = false;
  std::string digits;
  if (is_inexact(value.dtype())) {
    digits = integer_digits(value.as_double());
    negative = value.as_double() <= -1;
  } else {
    negative = kind(value.dtype()) == DTypeKind::kSigned && value.as_int() < 0;
    const uint64_t bits = value.as_unsigned();
    digits = integer_digits(negative ? -bits : bits, spec.conversion);
  }
  const auto least = static_cast<size_t>(std::max(spec.precision, 0));
  if (digits.size() < least) digits.insert(0, least - digits.size(), '0');
  if (spec.conversion == 'X') to_upper(digits);
  return padded(spec, sign_text(spec, negative) + base_prefix(spec), digits, spec.zero);
}

std::string float_digits(const PercentSpec& spec, double size) {
  if (!std::isfinite(size)) return std::isnan(size) ? "nan" : "inf";
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  std::string text(static_cast<size_t>(precision) + 340, '\0');
  if (spec.alternate) {
    const char format[] = {'%', '#', '.', '*', spec.conversion, '\0'};
    text.resize(std::snprintf(text.data(), text.size(), format, precision, size));
    return text;
  }
  const char kind = static_cast<char>(spec.conversion | 0x20);
  const auto style = kind == 'e'   ? std::chars_format::scientific
                     : kind == 'f' ? std::chars_format::fixed
                                   : std::chars_format::general;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), size, style, precision);
  text.resize(end.ptr - text.data());
  return text;
}

std::string float_text(const PercentSpec& spec, double value) {
  std::string digits = float_digits(spec, std::fabs(value));
  if (spec.conversion < 'a') to_upper(digits);
  const bool negative = !std::isnan(value) && std::signbit(value);
  return padded(spec, sign_text(spec, negative), digits, spec.zero);
}

std::string plain_text(const PercentSpec& spec, const Scalar& value) {
  std::string text = spec.conversion == 's' ? scalar_str(value) : scalar_repr(value);
  if (spec.precision >= 0) text.resize(std::min<size_t>(text.size(), spec.precision));
  return padded(spec, "", text, false);
}

bool takes(const PercentSpec& spec, const Scalar& value) {
  const bool needs_integer =
      std::string_view("xXo").find(spec.conversion) != std::string_view::npos;
  return !needs_integer || is_integer(value.dtype());
}

std::string text_of(const PercentSpec& spec, const Scalar& value) {
  if (kIntegerConversions.find(spec.conversion) != std::string_view::npos) {
    return integer_text(spec, value);
  }
  if (kFloatConversions.find(spec.conversion) != std::string_view::npos) {
    return float_text(spec, value.as_double());
  }
  return plain_text(spec, value);
}

}  // namespace

PercentFormat::PercentFormat(std::string_view format) {
  SpecReader reader(format);
  while (true) {
    std::string literal = reader.literal();
    if (reader.at_end()) {
      tail_ = std::move(literal);
      return;
    }
    specs_.push_back(reader.spec());
    specs_.back().literal = std::move(literal);
  }
}

bool PercentFormat::try_append(std::string& out, std::span<const Scalar> values) const {
  if (values.size() != specs_.size()) return false;
  for (size_t i = 0; i < specs_.size(); ++i) {
    if (!takes(specs_[i], values[i])) return false;
    out += specs_[i].literal;
    out += text_of(specs_[i], values[i]);
  }
  out += tail_;
  return true;
}

}  // namespace gpy::rt
