#pragma once
// [[fill]align][sign]["z"]["#"]["0"][width][grouping]["." precision][type], read once and shared by
// the formatting of every builtin type.

#include <string>
#include <string_view>

#include "src/value.h"

namespace gpy {

struct FormatSpec {
  explicit FormatSpec(Interpreter& vm) : vm(&vm) {}
  Interpreter* vm;
  std::string fill = " ";  // one code point
  char align = 0;          // '<' '>' '=' '^', 0: the type's own
  char sign = 0;           // '+' '-' ' '
  bool no_negative_zero = false;
  bool alternate = false;
  bool fill_given = false;
  int64_t width = -1;
  char grouping = 0;  // ',' '_'
  int64_t precision = -1;
  char32_t type = 0;  // 0: none given

  // `type_name` is named in the message of the ValueError.
  static FormatSpec parse(Interpreter& vm, std::string_view text, std::string_view type_name);
};

// Claims memory before that much text is laid out.
void claim_room(Interpreter& vm, int64_t characters);

// A number's text in the parts that padding and grouping treat differently.
struct NumberText {
  std::string sign;    // "", "-", "+" or " "
  std::string prefix;  // "0x" ...
  std::string digits;  // before the point
  std::string rest;    // the point and all behind it
};

// The sign to show for a number that is (not) negative.
std::string sign_text(const FormatSpec& spec, bool negative);
// Groups the digits and pads to the width.
std::string lay_out_number(const FormatSpec& spec, NumberText number);
// Pads any text to the width; `align` where the spec has none.
std::string pad(const FormatSpec& spec, std::string text, char align);
size_t count_characters(std::string_view text);
[[noreturn]] void raise_unknown_code(Interpreter& vm, char32_t code, std::string_view type_name);

std::string format_int(Interpreter& vm, const Value& number, const FormatSpec& spec,
                       std::string_view type_name);
std::string format_real(Interpreter& vm, double number, const FormatSpec& spec,
                        std::string_view type_name);
std::string format_complex(Interpreter& vm, double real, double imag, const FormatSpec& spec);
std::string format_str(Interpreter& vm, std::string_view text, const FormatSpec& spec);

// A float's digits without sign: code is one of e E f F g G, or r for the shortest that reads back
// the same.
struct RealStyle {
  char code = 'r';
  int64_t precision = 0;
  bool alternate = false;       // keeps the point and trailing zeros
  bool add_point_zero = false;  // "1.0", not "1"
};
std::string real_magnitude(double number, const RealStyle& style);

}  // namespace gpy
