#include "grammar/scan.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace gpy::syntax {
namespace {

struct IdentifierRange {
  uint32_t first, last;
  bool may_begin;
};

constexpr IdentifierRange kIdentifierRanges[] = {
#include "grammar/identifier_ranges.inc"
};

enum class Part : uint8_t { none, inside, begin };

Part identifier_part(char32_t code) {
  auto range = std::lower_bound(std::begin(kIdentifierRanges), std::end(kIdentifierRanges), code,
                                [](const IdentifierRange& r, char32_t c) { return r.last < c; });
  if (range == std::end(kIdentifierRanges) || code < range->first) return Part::none;
  return range->may_begin ? Part::begin : Part::inside;
}

constexpr bool is_ascii_part(char c) { return is_ascii_letter(c) || is_digit(c) || c == '_'; }

int continuation_bytes(unsigned char lead) {
  if (lead >= 0xC2 && lead < 0xE0) return 1;
  if (lead >= 0xE0 && lead < 0xF0) return 2;
  if (lead >= 0xF0 && lead < 0xF5) return 3;
  return 0;
}

bool is_scalar_value(char32_t code, int length) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= kSmallest[length] && code < 0x110000 && (code < 0xD800 || code > 0xDFFF);
}

// `at` is past a string's prefix letters.
bool at_triple_quotes(const char* at, const char* end) {
  return end - at >= 3 && at[1] == at[0] && at[2] == at[0];
}

bool read_prefix_letter(char c, StringStart& start) {
  switch (c | 32) {
    case 'r': return !std::exchange(start.is_raw, true);
    case 'b': return !start.is_formatted && !std::exchange(start.is_bytes, true);
    case 'f': return !start.is_bytes && !std::exchange(start.is_formatted, true);
    default: return false;
  }
}

// Prefix letters at `at`: 0 to 2 of them, or -1 if what is there is no prefix.
int read_prefix(const char* at, const char* end, StringStart& start) {
  int letters = 0;
  if (end - at >= 2 && (*at | 32) == 'u') return at[1] == '"' || at[1] == '\'' ? 1 : -1;
  while (at + letters < end && at[letters] != '"' && at[letters] != '\'') {
    if (letters == 2 || !read_prefix_letter(at[letters], start)) return -1;
    ++letters;
  }
  return at + letters < end ? letters : -1;
}

constexpr std::string_view kOperators3[] = {"**=", "//=", ">>=", "<<=", "..."};
constexpr std::string_view kOperators2[] = {
    "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", ":="};
constexpr std::string_view kOperators1 = "+-*/%@&|^~<>()[]{},:.;=";

}  // namespace

CodePoint decode_utf8(const char* at, const char* end) {
  auto lead = static_cast<unsigned char>(*at);
  if (lead < 0x80) return {lead, 1};
  int more = continuation_bytes(lead);
  if (more == 0 || end - at <= more) return {};
  char32_t code = lead & (0x3F >> more);
  for (int i = 1; i <= more; ++i) {
    auto byte = static_cast<unsigned char>(at[i]);
    if ((byte & 0xC0) != 0x80) return {};
    code = code << 6 | (byte & 0x3F);
  }
  return is_scalar_value(code, more + 1) ? CodePoint{code, more + 1} : CodePoint{};
}

size_t find_invalid_utf8(std::string_view text) {
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    uint64_t word;
    if (end - at >= 8 && (std::memcpy(&word, at, 8), (word & 0x8080808080808080) == 0)) {
      at += 8;
      continue;
    }
    int length = decode_utf8(at, end).length;
    if (length == 0) return at - text.data();
    at += length;
  }
  return std::string_view::npos;
}

std::string_view why_invalid_utf8(char lead) {
  const bool begins_one = continuation_bytes(static_cast<unsigned char>(lead)) > 0;
  return begins_one ? "invalid continuation byte" : "invalid start byte";
}

bool is_printable(char32_t code) {
  constexpr char32_t kHidden[][2] = {{0, 0x1F},        {0x7F, 0xA0},       {0xAD, 0xAD},
                                     {0x2000, 0x200F}, {0x2028, 0x202F},   {0x205F, 0x206F},
                                     {0x3000, 0x3000}, {0xE000, 0xF8FF},   {0xFEFF, 0xFEFF},
                                     {0xFFF0, 0xFFFB}, {0xE0000, 0x10FFFF}};
  return std::none_of(std::begin(kHidden), std::end(kHidden),
                      [&](auto& range) { return code >= range[0] && code <= range[1]; });
}

const char* skip_identifier(const char* at, const char* end) {
  if (at == end || is_digit(*at)) return at;
  const char* begin = at;
  while (at < end) {
    if (is_ascii_part(*at)) {
      ++at;
      continue;
    }
    if (static_cast<signed char>(*at) >= 0) break;
    CodePoint point = decode_utf8(at, end);
    Part part = point.length ? identifier_part(point.value) : Part::none;
    if (part == Part::none || (part == Part::inside && at == begin)) break;
    at += point.length;
  }
  return at;
}

bool is_keyword(std::string_view word) {
  using std::operator""sv;
  auto among = [word](auto... words) { return ((word == words) || ...); };
  switch (word.size()) {
    case 2: return among("as"sv, "if"sv, "in"sv, "is"sv, "or"sv);
    case 3: return among("and"sv, "def"sv, "del"sv, "for"sv, "not"sv, "try"sv);
    case 4: return among("None"sv, "True"sv, "elif"sv, "else"sv, "from"sv, "pass"sv, "with"sv);
    case 5:
      return among("False"sv, "async"sv, "await"sv, "break"sv, "class"sv, "raise"sv, "while"sv,
                   "yield"sv);
    case 6: return among("assert"sv, "except"sv, "global"sv, "import"sv, "lambda"sv, "return"sv);
    case 7: return word == "finally"sv;
    case 8: return among("continue"sv, "nonlocal"sv);
    default: return false;
  }
}

int operator_length(const char* at, const char* end) {
  std::string_view rest(at, end - at);
  auto begins = [rest](std::string_view op) { return rest.starts_with(op); };
  if (std::any_of(std::begin(kOperators3), std::end(kOperators3), begins)) return 3;
  if (std::any_of(std::begin(kOperators2), std::end(kOperators2), begins)) return 2;
  return at < end && kOperators1.find(*at) != std::string_view::npos ? 1 : 0;
}

StringStart string_start(const char* at, const char* end) {
  StringStart start;
  int letters = read_prefix(at, end, start);
  if (letters < 0) return {};
  at += letters;
  start.quote = *at;
  start.is_triple = at_triple_quotes(at, end);
  start.length = letters + start.quote_length();
  return start;
}

bool at_closing_quotes(const char* at, const char* end, const StringStart& start) {
  return *at == start.quote && (!start.is_triple || at_triple_quotes(at, end));
}

const char* skip_string(const char* at, const char* end, const StringStart& start) {
  while (at < end && (start.is_triple || *at != '\n')) {
    if (at_closing_quotes(at, end, start)) return at + start.quote_length();
    at += *at == '\\' && at + 1 < end ? 2 : 1;
  }
  return nullptr;
}

}  // namespace gpy::syntax
