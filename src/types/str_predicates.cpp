// What kind of characters a text is made of.
#include "src/types/str.h"
#include "src/text/unicode.h"

namespace gpy {

// True if there is a character and all have one of the bits.
template <uint16_t bits> static Value all_are(Interpreter& vm, Args args) {
  std::string_view text = text_of(args[0]);
  bool all = !text.empty();
  each_code_point(vm, text, [&](char32_t c, std::string_view) { all = all && is_class(c, bits); });
  return Value::boolean(all);
}

static Value str_isprintable(Interpreter& vm, Args args) {
  bool all = true;
  each_code_point(vm, text_of(args[0]),
                  [&](char32_t c, std::string_view) { all = all && is_class(c, kPrintable); });
  return Value::boolean(all);
}

static Value str_isascii(Interpreter&, Args args) {
  return Value::boolean(str_of(args[0])->is_ascii());
}

static Value str_isidentifier(Interpreter& vm, Args args) {
  uint16_t wanted = kIdentifierStart;
  bool valid = str_of(args[0])->bytes > 0;
  each_code_point(vm, text_of(args[0]), [&](char32_t c, std::string_view) {
    valid = valid && is_class(c, wanted);
    wanted = kIdentifierPart;
  });
  return Value::boolean(valid);
}

// Some character of the wanted case, none of the others.
template <uint16_t wanted, uint16_t refused> static Value cased_as(Interpreter& vm, Args args) {
  bool some = false, other = false;
  each_code_point(vm, text_of(args[0]), [&](char32_t c, std::string_view) {
    some = some || is_class(c, wanted);
    other = other || is_class(c, refused);
  });
  return Value::boolean(some && !other);
}

static Value str_istitle(Interpreter& vm, Args args) {
  bool some = false, valid = true, inside = false;
  each_code_point(vm, text_of(args[0]), [&](char32_t c, std::string_view) {
    bool capital = is_class(c, kUppercase | kTitlecase), small = is_class(c, kLowercase);
    valid = valid && !(capital && inside) && !(small && !inside);
    some = some || capital || small;
    inside = capital || small;
  });
  return Value::boolean(some && valid);
}

static const Native kMethods[] = {
    {"isalnum", "(self, /)", all_are<kAlpha | kDecimal | kDigit | kNumeric>,
     "Letters and digits only."},
    {"isalpha", "(self, /)", all_are<kAlpha>, "Letters only."},
    {"isascii", "(self, /)", str_isascii, "ASCII only."},
    {"isdecimal", "(self, /)", all_are<kDecimal>, "Decimal digits only."},
    {"isdigit", "(self, /)", all_are<kDigit>, "Digits only."},
    {"isidentifier", "(self, /)", str_isidentifier, "A legal name."},
    {"islower", "(self, /)", cased_as<kLowercase, kUppercase | kTitlecase>,
     "All letters in lower case."},
    {"isnumeric", "(self, /)", all_are<kNumeric>, "Numeric characters only."},
    {"isprintable", "(self, /)", str_isprintable, "Nothing that repr would escape."},
    {"isspace", "(self, /)", all_are<kSpace>, "White space only."},
    {"istitle", "(self, /)", str_istitle, "Each word with a capital."},
    {"isupper", "(self, /)", cased_as<kUppercase, kLowercase | kTitlecase>,
     "All letters in upper case."},
};

std::span<const Native> str_test_methods() { return kMethods; }

}  // namespace gpy
