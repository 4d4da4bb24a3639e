// Upper, lower and title case.
#include "src/types/str.h"
#include "src/text/unicode.h"
#include "src/typed_native.h"

namespace gpy {

using AppendCase = void (*)(std::string&, char32_t);

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// Letters of ASCII of one case become those of the other.
template <bool (*affected)(char)>
static Value ascii_mapped(Interpreter& vm, std::string_view text) {
  Ref<Str> result = Str::make_joined(vm, text.size(), text.size());
  char* to = result->mutable_data();
  auto turn = [&](size_t from, size_t end) {
    for (size_t i = from; i < end; ++i) {
      to[i] = static_cast<char>(affected(text[i]) ? text[i] ^ 0x20 : text[i]);
    }
  };
  in_pieces(vm, text.size(), turn, kPieceBytes);
  return result;
}

// The most bytes that a character becomes: three code points.
constexpr size_t kLongestMapping = 3 * 4;

static Value mapped(Interpreter& vm, std::string_view text, AppendCase append) {
  std::string result;
  make_room(vm, result, text.size() + kLongestMapping);
  each_code_point(vm, text, [&](char32_t c, std::string_view) {
    make_room(vm, result, kLongestMapping);
    append(result, c);
  });
  return vm.str(result);
}

static Value str_upper(Interpreter& vm, Str& self) {
  if (self.is_ascii()) return ascii_mapped<is_lower>(vm, self.view());
  return mapped(vm, self.view(), append_upper);
}
static Value str_casefold(Interpreter& vm, Str& self) {
  if (self.is_ascii()) return ascii_mapped<is_upper>(vm, self.view());
  return mapped(vm, self.view(), append_folded);
}

static std::u32string code_points(Interpreter& vm, const Str& text) {
  std::u32string result;
  vm.claim(text.length, sizeof(char32_t));
  result.reserve(text.length);
  each_code_point(vm, text.view(), [&](char32_t c, std::string_view) { result.push_back(c); });
  return result;
}

// Calls append(result, text, i) for each character: its result depends on those around it.
template <class F> static Value mapped_in_place(Interpreter& vm, const Str& source, F&& append) {
  const std::u32string text = code_points(vm, source);
  std::string result;
  make_room(vm, result, source.bytes + kLongestMapping);
  InterruptPoll poll(vm);
  for (size_t i = 0; i < text.size(); ++i) {
    poll.step();
    make_room(vm, result, kLongestMapping);
    append(result, text, i);
  }
  return vm.str(result);
}

// Whether a capital sigma is at the end of a word: a cased letter before it, none behind it.
static bool is_final_sigma(const std::u32string& text, size_t at) {
  size_t before = at, behind = at + 1;
  while (before > 0 && is_class(text[before - 1], kCaseIgnorable)) --before;
  if (before == 0 || !is_class(text[before - 1], kCased)) return false;
  while (behind < text.size() && is_class(text[behind], kCaseIgnorable)) ++behind;
  return behind == text.size() || !is_class(text[behind], kCased);
}

static void append_lower_at(std::string& result, const std::u32string& text, size_t at) {
  constexpr char32_t kCapitalSigma = 0x3A3, kFinalSigma = 0x3C2;
  if (text[at] == kCapitalSigma && is_final_sigma(text, at)) {
    append_utf8(result, kFinalSigma);
  } else {
    append_lower(result, text[at]);
  }
}

static Value str_lower(Interpreter& vm, Str& self) {
  if (self.is_ascii()) return ascii_mapped<is_upper>(vm, self.view());
  return mapped_in_place(vm, self, append_lower_at);
}

static void append_capitalized_at(std::string& result, const std::u32string& text, size_t at) {
  if (at == 0) {
    append_title(result, text[at]);
  } else {
    append_lower_at(result, text, at);
  }
}

static Value str_capitalize(Interpreter& vm, Str& self) {
  return mapped_in_place(vm, self, append_capitalized_at);
}

static Value str_title(Interpreter& vm, Str& self) {
  bool inside = false;
  auto append = [&](std::string& result, const std::u32string& text, size_t at) {
    if (inside) {
      append_lower_at(result, text, at);
    } else {
      append_title(result, text[at]);
    }
    inside = is_class(text[at], kCased);
  };
  return mapped_in_place(vm, self, append);
}

static void append_swapped_at(std::string& result, const std::u32string& text, size_t at) {
  if (is_class(text[at], kUppercase)) {
    append_lower_at(result, text, at);
  } else if (is_class(text[at], kLowercase)) {
    append_upper(result, text[at]);
  } else {
    append_utf8(result, text[at]);
  }
}

static Value str_swapcase(Interpreter& vm, Str& self) {
  return mapped_in_place(vm, self, append_swapped_at);
}

static const Native kMethods[] = {
    {"capitalize", "(self, /)", typed<str_capitalize>,
     "First character in upper case, the rest in lower."},
    {"casefold", "(self, /)", typed<str_casefold>, "Lower case for comparing."},
    {"lower", "(self, /)", typed<str_lower>, "In lower case."},
    {"swapcase", "(self, /)", typed<str_swapcase>, "Upper case for lower and the other way round."},
    {"title", "(self, /)", typed<str_title>, "Each word with a capital."},
    {"upper", "(self, /)", typed<str_upper>, "In upper case."},
};

std::span<const Native> str_case_methods() { return kMethods; }

}  // namespace gpy
