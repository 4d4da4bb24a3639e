#include "src/types/codecs.h"

#include <iterator>

#include "src/objects/str.h"

namespace gpy {

static unsigned char byte_at(std::string_view bytes, size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

// --- one byte a character ------------------------------------------------------------------------

static bool put_byte(std::string& bytes, char32_t c, char32_t limit) {
  if (c < limit) bytes.push_back(static_cast<char>(c));
  return c < limit;
}

static bool put_ascii(std::string& bytes, char32_t c) { return put_byte(bytes, c, 128); }
static bool put_latin1(std::string& bytes, char32_t c) { return put_byte(bytes, c, 256); }

static Decoded take_ascii(std::string_view bytes, size_t at) {
  unsigned char c = byte_at(bytes, at);
  return {c, 1, c < 128 ? nullptr : "ordinal not in range(128)"};
}

static Decoded take_latin1(std::string_view bytes, size_t at) { return {byte_at(bytes, at), 1}; }

// Windows' western code page: the characters of the bytes 0x80 to 0x9f, 0 for none.
static constexpr char16_t kWestern[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

static bool put_western(std::string& bytes, char32_t c) {
  if (c < 0x80 || (c >= 0xA0 && c < 0x100)) return put_latin1(bytes, c);
  for (size_t i = 0; i < std::size(kWestern); ++i) {
    if (kWestern[i] && kWestern[i] == c) return put_latin1(bytes, static_cast<char32_t>(0x80 + i));
  }
  return false;
}

static Decoded take_western(std::string_view bytes, size_t at) {
  unsigned char c = byte_at(bytes, at);
  if (c < 0x80 || c >= 0xA0) return {c, 1};
  char32_t meaning = kWestern[c - 0x80];
  return {meaning, 1, meaning ? nullptr : "character maps to <undefined>"};
}

// --- utf-8 ---------------------------------------------------------------------------------------

static bool put_utf8(std::string& bytes, char32_t c) {
  if (is_surrogate(c)) return false;
  append_utf8(bytes, c);
  return true;
}

// Whether `second` may follow `first`: not every continuation byte gives a character.
static bool follows(unsigned char first, unsigned char second) {
  unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  return second >= low && second <= high;
}

static Decoded take_utf8(std::string_view bytes, size_t at) {
  unsigned char first = byte_at(bytes, at);
  if (first < 0x80) return {first, 1};
  if (first < 0xC2 || first > 0xF4) return {0, 1, "invalid start byte"};
  size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  for (size_t i = 1; i < length; ++i) {
    if (at + i == bytes.size()) return {0, i, "unexpected end of data"};
    unsigned char next = byte_at(bytes, at + i);
    bool fits = i == 1 ? follows(first, next) : (next & 0xC0) == 0x80;
    if (!fits) return {0, i, "invalid continuation byte"};
  }
  const char* from = bytes.data() + at;
  return {decode_utf8(from, from + length), length};
}

// --- utf-16, utf-32 ------------------------------------------------------------------------------

enum class Order { little, big };

template <Order order, size_t size> static void put_unit(std::string& bytes, char32_t unit) {
  for (size_t i = 0; i < size; ++i) {
    size_t shift = 8 * (order == Order::little ? i : size - 1 - i);
    bytes.push_back(static_cast<char>(unit >> shift));
  }
}

template <Order order, size_t size> static char32_t unit_at(std::string_view bytes, size_t at) {
  char32_t unit = 0;
  for (size_t i = 0; i < size; ++i) {
    size_t shift = 8 * (order == Order::little ? i : size - 1 - i);
    unit |= static_cast<char32_t>(byte_at(bytes, at + i)) << shift;
  }
  return unit;
}

template <Order order> static bool put_utf16(std::string& bytes, char32_t c) {
  if (is_surrogate(c)) return false;
  if (c < 0x10000) {
    put_unit<order, 2>(bytes, c);
  } else {
    put_unit<order, 2>(bytes, 0xD800 + ((c - 0x10000) >> 10));
    put_unit<order, 2>(bytes, 0xDC00 + (c & 0x3FF));
  }
  return true;
}

template <Order order> static Decoded take_utf16(std::string_view bytes, size_t at) {
  if (at + 2 > bytes.size()) return {0, bytes.size() - at, "truncated data"};
  char32_t unit = unit_at<order, 2>(bytes, at);
  if (!is_surrogate(unit)) return {unit, 2};
  if (unit >= 0xDC00) return {0, 2, "illegal encoding"};
  if (at + 4 > bytes.size()) return {0, bytes.size() - at, "unexpected end of data"};
  char32_t low = unit_at<order, 2>(bytes, at + 2);
  if (low < 0xDC00 || low > 0xDFFF) return {0, 2, "illegal UTF-16 surrogate"};
  return {0x10000 + ((unit & 0x3FF) << 10 | (low & 0x3FF)), 4};
}

template <Order order> static bool put_utf32(std::string& bytes, char32_t c) {
  if (is_surrogate(c)) return false;
  put_unit<order, 4>(bytes, c);
  return true;
}

template <Order order> static Decoded take_utf32(std::string_view bytes, size_t at) {
  if (at + 4 > bytes.size()) return {0, bytes.size() - at, "truncated data"};
  char32_t c = unit_at<order, 4>(bytes, at);
  if (is_surrogate(c)) return {0, 4, "code point in surrogate code point range(0xd800, 0xe000)"};
  return {c, 4, c < 0x110000 ? nullptr : "code point not in range(0x110000)"};
}

// --- the table -----------------------------------------------------------------------------------

static constexpr char kSurrogates[] = "surrogates not allowed";
static constexpr char kUndefined[] = "character maps to <undefined>";
static constexpr std::string_view kMark8 = "\xEF\xBB\xBF", kMark16("\xFF\xFE", 2),
                                  kBigMark16("\xFE\xFF", 2), kMark32("\xFF\xFE\0\0", 4),
                                  kBigMark32("\0\0\xFE\xFF", 4);

static const Codec kCodecs[] = {
    {"utf-8", "utf-8", kSurrogates, "", put_utf8, take_utf8, true, 1},
    {"ascii", "ascii", "ordinal not in range(128)", "", put_ascii, take_ascii, false, 1},
    {"latin-1", "latin-1", "ordinal not in range(256)", "", put_latin1, take_latin1, false, 1},
    {"utf-8", "utf-8", kSurrogates, kMark8, put_utf8, take_utf8, true, 1},
    {"charmap", "charmap", kUndefined, "", put_western, take_western, false, 1},
    {"utf-16", "utf-16-le", kSurrogates, kMark16, put_utf16<Order::little>,
     take_utf16<Order::little>, true, 2},
    {"utf-16-le", "utf-16-le", kSurrogates, "", put_utf16<Order::little>, take_utf16<Order::little>,
     true, 2},
    {"utf-16-be", "utf-16-be", kSurrogates, "", put_utf16<Order::big>, take_utf16<Order::big>, true,
     2},
    {"utf-32", "utf-32-le", kSurrogates, kMark32, put_utf32<Order::little>,
     take_utf32<Order::little>, true, 4},
    {"utf-32-le", "utf-32-le", kSurrogates, "", put_utf32<Order::little>, take_utf32<Order::little>,
     true, 4},
    {"utf-32-be", "utf-32-be", kSurrogates, "", put_utf32<Order::big>, take_utf32<Order::big>, true,
     4},
};
enum {
  kUtf8,
  kAscii,
  kLatin1,
  kUtf8Mark,
  kWindows,
  kUtf16,
  kUtf16Le,
  kUtf16Be,
  kUtf32,
  kUtf32Le,
  kUtf32Be
};

static const struct {
  const char* name;  // without - _ and space
  size_t codec;
} kNames[] = {
    {"utf8", kUtf8},        {"u8", kUtf8},         {"utf", kUtf8},
    {"ascii", kAscii},      {"usascii", kAscii},   {"646", kAscii},
    {"latin1", kLatin1},    {"iso88591", kLatin1}, {"l1", kLatin1},
    {"latin", kLatin1},     {"8859", kLatin1},     {"cp819", kLatin1},
    {"utf8sig", kUtf8Mark}, {"cp1252", kWindows},  {"windows1252", kWindows},
    {"1252", kWindows},     {"utf16", kUtf16},     {"u16", kUtf16},
    {"utf16le", kUtf16Le},  {"utf16be", kUtf16Be}, {"utf32", kUtf32},
    {"u32", kUtf32},        {"utf32le", kUtf32Le}, {"utf32be", kUtf32Be},
};

const Codec* find_codec(std::string_view name) {
  std::string key;
  for (char c : name) {
    if (c == '-' || c == '_' || c == ' ') continue;
    key.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
  }
  for (const auto& entry : kNames) {
    if (key == entry.name) return &kCodecs[entry.codec];
  }
  return nullptr;
}

Reading codec_for_reading(const Codec& codec, std::string_view bytes) {
  if (&codec == &kCodecs[kUtf16] && bytes.starts_with(kBigMark16)) return {kCodecs[kUtf16Be], 2};
  if (&codec == &kCodecs[kUtf32] && bytes.starts_with(kBigMark32)) return {kCodecs[kUtf32Be], 4};
  return {codec, bytes.starts_with(codec.mark) ? codec.mark.size() : 0};
}

}  // namespace gpy
