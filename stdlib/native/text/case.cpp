// The case of letters, and questions about the characters of texts.
#include "src/array/typed_arguments.h"
#include "stdlib/native/text/families.h"
#include "stdlib/native/text/units.h"

namespace gpy::lib {

namespace {

// --- case ----------------------------------------------------------------------------------------

enum class Case { upper, lower, swapped, capital, title };
constexpr std::string_view kMethods[] = {"upper", "lower", "swapcase", "capitalize", "title"};

template <class Unit> Unit turned(Unit c) { return static_cast<Unit>(c ^ 0x20); }
template <class Unit> Unit raised(Unit c) { return is_small(c) ? turned(c) : c; }
template <class Unit> Unit lowered(Unit c) { return is_capital(c) ? turned(c) : c; }

// A character of ASCII; `first`: of the text, `inside`: of a word.
template <class Unit> Unit cased(Unit c, Case to, bool first, bool inside) {
  switch (to) {
    case Case::upper: return raised(c);
    case Case::lower: return lowered(c);
    case Case::swapped: return is_letter(c) ? turned(c) : c;
    case Case::capital: return first ? raised(c) : lowered(c);
    case Case::title: return inside ? lowered(c) : raised(c);
  }
  return c;
}

template <class Sink, class Unit> void put_cased(Sink& sink, TextView<Unit> text, Case to) {
  bool inside = false;
  for (size_t i = 0; i < text.size(); ++i) {
    sink.put(cased(text[i], to, i == 0, inside));
    inside = is_letter(text[i]);
  }
}

bool is_ascii(TextView<char32_t> text) {
  return std::all_of(text.begin(), text.end(), [](char32_t c) { return c < 128; });
}

// The units of what str's own method makes of a text.
std::u32string cased_str(Interpreter& vm, TextView<char32_t> text, Case to) {
  std::string bytes;
  for (char32_t c : text) append_utf8(bytes, c);
  Str* const name = vm.intern(kMethods[static_cast<size_t>(to)]);
  const Value found = vm.call(vm.get_attribute(vm.str(bytes), name), {nullptr, 0, {}});
  std::u32string units;
  const std::string_view made = found.as<Str>()->view();
  for (const char *at = made.data(), *end = at + made.size(); at < end;) {
    units.push_back(decode_utf8(at, end));
  }
  return units;
}

Value text_cased(Interpreter& vm, const rt::Array& rows, int64_t to) {
  RowLoop<1, 0> loop(vm, {rows});
  return loop.texts(loop.width(0), [&](auto& sink, auto text) {
    const auto wanted = static_cast<Case>(to);
    if constexpr (kIsWide<typename decltype(text)::value_type>) {
      if (!is_ascii(text)) return sink.put(cased_str(vm, text, wanted));
    }
    put_cased(sink, text, wanted);
  });
}

// --- questions -----------------------------------------------------------------------------------

// Whether there is a character and all have one of the bits.
Value text_all(Interpreter& vm, const rt::Array& rows, int64_t bits) {
  RowLoop<1, 0> loop(vm, {rows});
  return loop.numbers<bool>(rt::DType::kBool, [&](auto text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [&](auto c) { return (unit_class(c) & bits) != 0; });
  });
}

// Whether some character has a wanted bit, and none a refused one.
Value text_some(Interpreter& vm, const rt::Array& rows, int64_t wanted, int64_t refused) {
  RowLoop<1, 0> loop(vm, {rows});
  return loop.numbers<bool>(rt::DType::kBool, [&](auto text) {
    int64_t seen = 0;
    for (auto c : text) seen |= unit_class(c);
    return (seen & wanted) != 0 && (seen & refused) == 0;
  });
}

template <class Text> bool is_title(Text text) {
  bool some = false, inside = false;
  for (auto c : text) {
    const uint16_t bits = unit_class(c);
    const bool capital = (bits & (kUppercase | kTitlecase)) != 0, small = (bits & kLowercase) != 0;
    if ((capital && inside) || (small && !inside)) return false;
    inside = capital || small;
    some = some || inside;
  }
  return some;
}

Value text_is_title(Interpreter& vm, const rt::Array& rows) {
  RowLoop<1, 0> loop(vm, {rows});
  return loop.numbers<bool>(rt::DType::kBool, [](auto text) { return is_title(text); });
}

// The bits for which `_text_all` and `_text_some` ask, by the names of str's methods.
Value character_bits(Interpreter& vm, std::string_view name) {
  struct Row {
    std::string_view name;
    int bits;
  };
  static constexpr Row kBits[] = {
      {"isalnum", kAlpha | kDecimal | kDigit | kNumeric},
      {"isalpha", kAlpha},
      {"isdecimal", kDecimal},
      {"isdigit", kDigit},
      {"isnumeric", kNumeric},
      {"isspace", kSpace},
      {"islower", kLowercase},
      {"isupper", kUppercase},
      {"istitle", kTitlecase},
  };
  for (const Row& row : kBits) {
    if (row.name == name) return Value::integer(row.bits);
  }
  vm.raise_value_error("no such question: {}", name);
}

const Native kRows[] = {
    {"_text_cased", "(rows, to, /)", typed<text_cased>,
     "Texts in upper case, lower case, swapped, with a capital, with capitals, by number."},
    {"_text_all", "(rows, bits, /)", typed<text_all>,
     "Whether all characters of texts have one of the bits."},
    {"_text_some", "(rows, wanted, refused, /)", typed<text_some>,
     "Whether some characters have a wanted bit, and none a refused one."},
    {"_text_is_title", "(rows, /)", typed<text_is_title>,
     "Whether words begin with capitals and go on in small letters."},
    {"_character_bits", "(name, /)", typed<character_bits>,
     "The bits that stand for a method of str."},
};

}  // namespace

std::span<const Native> text_case_rows() { return kRows; }

}  // namespace gpy::lib
