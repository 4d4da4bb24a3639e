// Format specs applied to int, float and complex.
#include <cmath>

#include "src/text/format.h"
#include "src/text/format_spec.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"

namespace gpy {

// --- int -----------------------------------------------------------------------------------------

static std::string format_character(Interpreter& vm, const Value& number, const FormatSpec& spec) {
  if (spec.sign) vm.raise_value_error("Sign not allowed with integer format specifier 'c'");
  if (spec.alternate) {
    vm.raise_value_error("Alternate form (#) not allowed with integer format specifier 'c'");
  }
  if (number.is_object()) vm.raise_overflow_error("Python int too large to convert to C long");
  bool in_range = number.as_integer() >= 0 && number.as_integer() < 0x110000;
  if (!in_range) vm.raise_overflow_error("%c arg not in range(0x110000)");
  NumberText text;
  append_utf8(text.digits, static_cast<char32_t>(number.as_integer()));
  FormatSpec layout = spec;
  if (!layout.align) layout.align = '<';
  return lay_out_number(layout, std::move(text));
}

static int base_of(char32_t code) {
  switch (code) {
    case U'b': return 2;
    case U'o': return 8;
    case U'x':
    case U'X': return 16;
    default: return 10;
  }
}

static void to_upper(std::string& text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
}

static std::string format_digits(const Value& number, const FormatSpec& spec) {
  int base = base_of(spec.type);
  NumberText text;
  text.digits = int_to_text(number, base);
  bool negative = text.digits[0] == '-';
  if (negative) text.digits.erase(0, 1);
  text.sign = sign_text(spec, negative);
  if (spec.alternate && base != 10) text.prefix = {'0', static_cast<char>(spec.type)};
  if (spec.type == U'X') to_upper(text.digits);
  return lay_out_number(spec, std::move(text));
}

std::string format_int(Interpreter& vm, const Value& number, const FormatSpec& spec,
                       std::string_view type_name) {
  constexpr std::u32string_view kReal = U"eEfFgG%";
  if (spec.type && kReal.find(spec.type) != kReal.npos) {
    return format_real(vm, int_to_real(vm, number), spec, type_name);
  }
  constexpr std::u32string_view kInt = U"bcdnoxX";
  if (spec.type && kInt.find(spec.type) == kInt.npos) raise_unknown_code(vm, spec.type, type_name);
  if (spec.precision >= 0) {
    vm.raise_value_error("Precision not allowed in integer format specifier");
  }
  if (spec.no_negative_zero) {
    vm.raise_value_error("Negative zero coercion (z) not allowed in integer format specifier");
  }
  if (spec.type == U'c') return format_character(vm, number, spec);
  return format_digits(number, spec);
}

// --- float ---------------------------------------------------------------------------------------

static RealStyle style_of(const FormatSpec& spec) {
  constexpr int64_t kUsualPrecision = 6;
  RealStyle style;
  style.alternate = spec.alternate;
  if (spec.type == 0) {
    style.code = spec.precision < 0 ? 'r' : 'g';
    style.precision = std::max<int64_t>(spec.precision, 0);
    style.add_point_zero = true;
    return style;
  }
  style.code = spec.type == U'n' ? 'g' : spec.type == U'%' ? 'f' : static_cast<char>(spec.type);
  style.precision = spec.precision < 0 ? kUsualPrecision : spec.precision;
  return style;
}

static bool is_zero(std::string_view magnitude) {
  size_t exponent = magnitude.find_first_of("eE");
  return magnitude.substr(0, exponent).find_first_of("123456789") == std::string_view::npos;
}

// Splits the magnitude's text before the point or the exponent.
static NumberText split(std::string magnitude) {
  NumberText text;
  size_t end = magnitude.find_first_not_of("0123456789");
  bool number = end != 0;  // else inf or nan
  text.digits = number ? magnitude.substr(0, end) : magnitude;
  if (number && end != std::string::npos) text.rest = magnitude.substr(end);
  return text;
}

static NumberText real_text(double number, const FormatSpec& spec, const RealStyle& style) {
  bool percent = spec.type == U'%';
  std::string magnitude = real_magnitude(percent ? number * 100 : number, style);
  bool negative = std::signbit(number) && !std::isnan(number);
  if (negative && spec.no_negative_zero && std::isfinite(number) && is_zero(magnitude)) {
    negative = false;
  }
  NumberText text = split(std::move(magnitude));
  if (percent) text.rest += '%';
  text.sign = sign_text(spec, negative);
  return text;
}

static void check_real_code(Interpreter& vm, const FormatSpec& spec, std::string_view codes,
                            std::string_view type_name) {
  if (!spec.type) return;
  if (spec.type > 127 || codes.find(static_cast<char>(spec.type)) == codes.npos) {
    raise_unknown_code(vm, spec.type, type_name);
  }
}

static void check_precision(Interpreter& vm, const FormatSpec& spec) {
  if (spec.precision > INT32_MAX) vm.raise_value_error("precision too big");
}

std::string format_real(Interpreter& vm, double number, const FormatSpec& spec,
                        std::string_view type_name) {
  check_real_code(vm, spec, "eEfFgGn%", type_name);
  check_precision(vm, spec);
  return lay_out_number(spec, real_text(number, spec, style_of(spec)));
}

// --- complex -------------------------------------------------------------------------------------

static std::string joined(const FormatSpec& spec, NumberText text) {
  FormatSpec bare = spec;
  bare.width = -1;
  bare.align = '>';
  return lay_out_number(bare, std::move(text));
}

std::string format_complex(Interpreter& vm, double real, double imag, const FormatSpec& spec) {
  check_real_code(vm, spec, "eEfFgGn", "complex");
  check_precision(vm, spec);
  if (spec.fill == "0") {
    vm.raise_value_error("Zero padding is not allowed in complex format specifier");
  }
  if (spec.align == '=') {
    vm.raise_value_error("'=' alignment flag is not allowed in complex format specifier");
  }
  RealStyle style = style_of(spec);
  style.add_point_zero = false;
  bool plain = spec.type == 0;  // as repr: in brackets, and a zero real part left out
  bool skip_real = plain && real == 0 && !std::signbit(real);
  FormatSpec imaginary = spec;
  if (!skip_real) imaginary.sign = '+';
  std::string text = skip_real ? "" : joined(spec, real_text(real, spec, style));
  text += joined(spec, real_text(imag, imaginary, style)) + "j";
  if (plain && !skip_real) text = "(" + text + ")";
  return pad(spec, std::move(text), '>');
}

}  // namespace gpy
