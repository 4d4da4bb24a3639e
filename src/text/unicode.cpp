#include "src/text/unicode.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "src/objects/str.h"

namespace gpy {

namespace {

struct ClassRange {
  char32_t first, last;
  uint16_t bits;
};
// Every `stride`-th of the code points maps to itself plus `offset`.
struct CaseRun {
  char32_t first, last;
  int stride, offset;
};
struct LongCase {
  char32_t code;
  const char* text;
};

#include "src/text/unicode_tables.inc"

struct CaseTable {
  const CaseRun *begin, *end;
  const LongCase *long_begin, *long_end;
};

}  // namespace

#define GPY_CASE_TABLE(name) \
  { std::begin(name), std::end(name), std::begin(name##Long), std::end(name##Long) }
static constexpr CaseTable kLowerTable = GPY_CASE_TABLE(kLower);
static constexpr CaseTable kUpperTable = GPY_CASE_TABLE(kUpper);
static constexpr CaseTable kTitleTable = GPY_CASE_TABLE(kTitle);
static constexpr CaseTable kFoldTable = GPY_CASE_TABLE(kFold);
#undef GPY_CASE_TABLE

static const ClassRange* find_range(char32_t c) {
  auto after = [](char32_t code, const ClassRange& range) { return code < range.first; };
  const ClassRange* next = std::upper_bound(std::begin(kClasses), std::end(kClasses), c, after);
  if (next == std::begin(kClasses) || c > next[-1].last) return nullptr;
  return next - 1;
}

static uint16_t find_class(char32_t c) {
  const ClassRange* range = find_range(c);
  return range ? range->bits : 0;
}

uint16_t character_class(char32_t c) {
  static const std::array<uint16_t, 128> kAscii = [] {
    std::array<uint16_t, 128> classes{};
    for (char32_t i = 0; i < 128; ++i) classes[i] = find_class(i);
    return classes;
  }();
  return c < 128 ? kAscii[c] : find_class(c);
}

// Digits come in runs of ten; neighbouring runs share a range.
int decimal_value(char32_t c) {
  const ClassRange* range = find_range(c);
  return range ? static_cast<int>((c - range->first) % 10) : 0;
}

static void append_mapped(std::string& text, char32_t c, const CaseTable& table) {
  auto before = [](const LongCase& entry, char32_t code) { return entry.code < code; };
  const LongCase* entry = std::lower_bound(table.long_begin, table.long_end, c, before);
  if (entry != table.long_end && entry->code == c) {
    text += entry->text;
    return;
  }
  for (const CaseRun* run = table.begin; run != table.end && run->first <= c; ++run) {
    if (c <= run->last && (c - run->first) % static_cast<char32_t>(run->stride) == 0) {
      append_utf8(text, static_cast<char32_t>(static_cast<int64_t>(c) + run->offset));
      return;
    }
  }
  append_utf8(text, c);
}

void append_lower(std::string& text, char32_t c) {
  if (c < 128) {
    text.push_back(static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c));
  } else {
    append_mapped(text, c, kLowerTable);
  }
}

void append_upper(std::string& text, char32_t c) {
  if (c < 128) {
    text.push_back(static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c));
  } else {
    append_mapped(text, c, kUpperTable);
  }
}

void append_title(std::string& text, char32_t c) {
  if (c < 128) {
    append_upper(text, c);
  } else {
    append_mapped(text, c, kTitleTable);
  }
}

void append_folded(std::string& text, char32_t c) {
  if (c < 128) {
    append_lower(text, c);
  } else {
    append_mapped(text, c, kFoldTable);
  }
}

}  // namespace gpy
