// Upper, lower and title case.
#include "src/types/str.h"
#include "src/text/unicode.h"

namespace gpy {

using AppendCase = void (*)(std::string&, char32_t);

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// ASCII letters of one case become those of the other.
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

static Value mapped(Interpreter& vm, std::string_view text, AppendCase append) {
  std::string result;
  result.reserve(text.size());
  each_code_point(vm, text, [&](char32_t c, std::string_view) { append(result, c); });
  return vm.str(result);
}

static Value str_upper(Interpreter& vm, Args args) {
  if (str_of(args[0])->is_ascii()) return ascii_mapped<is_lower>(vm, text_of(args[0]));
  return mapped(vm, text_of(args[0]), append_upper);
}
static Value str_casefold(Interpreter& vm, Args args) {
  if (str_of(args[0])->is_ascii()) return ascii_mapped<is_upper>(vm, text_of(args[0]));
  return mapped(vm, text_of(args[0]), append_folded);
}

static std::u32string code_points(Interpreter& vm, std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  each_code_point(vm, text, [&](char32_t c, std::string_view) { result.push_back(c); });
  return result;
}

// A capital sigma at the end of a word: something cased before, nothing cased behind.
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

static Value str_lower(Interpreter& vm, Args args) {
  if (str_of(args[0])->is_ascii()) return ascii_mapped<is_upper>(vm, text_of(args[0]));
  std::u32string text = code_points(vm, text_of(args[0]));
  std::string result;
  Heed heed(vm);
  for (size_t i = 0; i < text.size(); ++i) {
    heed.step();
    append_lower_at(result, text, i);
  }
  return vm.str(result);
}

static Value str_capitalize(Interpreter& vm, Args args) {
  std::u32string text = code_points(vm, text_of(args[0]));
  std::string result;
  Heed heed(vm);
  for (size_t i = 0; i < text.size(); ++i) {
    heed.step();
    if (i == 0) {
      append_title(result, text[i]);
    } else {
      append_lower_at(result, text, i);
    }
  }
  return vm.str(result);
}

static Value str_title(Interpreter& vm, Args args) {
  std::u32string text = code_points(vm, text_of(args[0]));
  std::string result;
  bool inside = false;
  Heed heed(vm);
  for (size_t i = 0; i < text.size(); ++i) {
    heed.step();
    if (inside) {
      append_lower_at(result, text, i);
    } else {
      append_title(result, text[i]);
    }
    inside = is_class(text[i], kCased);
  }
  return vm.str(result);
}

static Value str_swapcase(Interpreter& vm, Args args) {
  std::u32string text = code_points(vm, text_of(args[0]));
  std::string result;
  Heed heed(vm);
  for (size_t i = 0; i < text.size(); ++i) {
    heed.step();
    if (is_class(text[i], kUppercase)) {
      append_lower_at(result, text, i);
    } else if (is_class(text[i], kLowercase)) {
      append_upper(result, text[i]);
    } else {
      append_utf8(result, text[i]);
    }
  }
  return vm.str(result);
}

static const Native kMethods[] = {
    {"capitalize", "(self, /)", str_capitalize,
     "First character in upper case, the rest in lower."},
    {"casefold", "(self, /)", str_casefold, "Lower case for comparing."},
    {"lower", "(self, /)", str_lower, "In lower case."},
    {"swapcase", "(self, /)", str_swapcase, "Upper case for lower and the other way round."},
    {"title", "(self, /)", str_title, "Each word with a capital."},
    {"upper", "(self, /)", str_upper, "In upper case."},
};

std::span<const Native> str_case_methods() { return kMethods; }

}  // namespace gpy
