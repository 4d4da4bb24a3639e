// Tests of the kinds of characters in a text.
#include "src/types/str.h"
#include "src/text/unicode.h"
#include "src/typed_native.h"

namespace gpy {

// True if there is a character and all have one of the bits.
template <uint16_t bits> static Value all_are(Interpreter& vm, Str& self) {
  std::string_view text = self.view();
  bool all = !text.empty();
  each_code_point(vm, text, [&](char32_t c, std::string_view) { all = all && is_class(c, bits); });
  return Value::boolean(all);
}

static Value str_isprintable(Interpreter& vm, Str& self) {
  bool all = true;
  each_code_point(vm, self.view(),
                  [&](char32_t c, std::string_view) { all = all && is_class(c, kPrintable); });
  return Value::boolean(all);
}

static Value str_isascii(Interpreter&, Str& self) { return Value::boolean(self.is_ascii()); }

static Value str_isidentifier(Interpreter& vm, Str& self) {
  uint16_t wanted = kIdentifierStart;
  bool valid = self.bytes > 0;
  each_code_point(vm, self.view(), [&](char32_t c, std::string_view) {
    valid = valid && is_class(c, wanted);
    wanted = kIdentifierPart;
  });
  return Value::boolean(valid);
}

// Whether some character is of the wanted case, and none of the others.
template <uint16_t wanted, uint16_t refused> static Value cased_as(Interpreter& vm, Str& self) {
  bool some = false, other = false;
  each_code_point(vm, self.view(), [&](char32_t c, std::string_view) {
    some = some || is_class(c, wanted);
    other = other || is_class(c, refused);
  });
  return Value::boolean(some && !other);
}

static Value str_istitle(Interpreter& vm, Str& self) {
  bool some = false, valid = true, inside = false;
  each_code_point(vm, self.view(), [&](char32_t c, std::string_view) {
    bool capital = is_class(c, kUppercase | kTitlecase), small = is_class(c, kLowercase);
    valid = valid && !(capital && inside) && !(small && !inside);
    some = some || capital || small;
    inside = capital || small;
  });
  return Value::boolean(some && valid);
}

static const Native kMethods[] = {
    {"isalnum", "(self, /)", typed<all_are<kAlpha | kDecimal | kDigit | kNumeric>>,
     "Letters and digits only."},
    {"isalpha", "(self, /)", typed<all_are<kAlpha>>, "Letters only."},
    {"isascii", "(self, /)", typed<str_isascii>, "ASCII only."},
    {"isdecimal", "(self, /)", typed<all_are<kDecimal>>, "Decimal digits only."},
    {"isdigit", "(self, /)", typed<all_are<kDigit>>, "Digits only."},
    {"isidentifier", "(self, /)", typed<str_isidentifier>, "A legal name."},
    {"islower", "(self, /)", typed<cased_as<kLowercase, kUppercase | kTitlecase>>,
     "All letters in lower case."},
    {"isnumeric", "(self, /)", typed<all_are<kNumeric>>, "Numeric characters only."},
    {"isprintable", "(self, /)", typed<str_isprintable>, "Nothing that repr would escape."},
    {"isspace", "(self, /)", typed<all_are<kSpace>>, "White space only."},
    {"istitle", "(self, /)", typed<str_istitle>, "Each word with a capital."},
    {"isupper", "(self, /)", typed<cased_as<kUppercase, kLowercase | kTitlecase>>,
     "All letters in upper case."},
};

std::span<const Native> str_test_methods() { return kMethods; }

}  // namespace gpy
