#include "src/objects/utf8.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>

namespace gpy {

static constexpr uint64_t kHighBits = 0x8080808080808080;
static_assert(std::endian::native == std::endian::little);  // the first byte is the lowest

static uint64_t word_at(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Length of the well-formed sequence at the front, or 0.
template <bool with_surrogates>
static inline size_t sequence_length(const char* at, const char* end) {
  const auto left = static_cast<size_t>(end - at);
  auto byte = [&](size_t i) { return static_cast<unsigned char>(at[i]); };
  auto continues = [&](size_t i) { return i < left && (byte(i) & 0xC0) == 0x80; };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xE0) return first >= 0xC2 && continues(1) ? 2 : 0;
  if (!continues(1) || !continues(2)) return 0;
  if (first < 0xF0) {
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    return first == 0xED && byte(1) >= 0xA0 && !with_surrogates ? 0 : 3;
  }
  if (first > 0xF4 || !continues(3)) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  return first == 0xF4 && byte(1) >= 0x90 ? 0 : 4;
}

// Moves `at`, which is at plain ASCII, over the ASCII in the next word, and returns the number of
// code points.
static size_t skip_ascii(const char*& at, const char* end) {
  size_t plain = 1;
  if (end - at >= 8) {
    const uint64_t high = word_at(at) & kHighBits;
    plain = high ? static_cast<size_t>(std::countr_zero(high)) / 8 : 8;
  }
  at += plain;
  return plain;
}

MeasuredUtf8 measure_utf8(std::string_view text) {
  const char *at = text.data(), *end = at + text.size();
  size_t code_points = 0;
  while (at < end) {
    if (*at >= 0) {
      code_points += skip_ascii(at, end);
      continue;
    }
    const size_t length = sequence_length<true>(at, end);
    if (length == 0) break;
    at += length;
    ++code_points;
  }
  return {static_cast<size_t>(at - text.data()), code_points};
}

size_t count_code_points(std::string_view text) {
  size_t i = 0, continuation = 0;
  while (i + 8 <= text.size() && !(word_at(text.data() + i) & kHighBits)) i += 8;
  for (; i < text.size(); ++i) {
    continuation += (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  }
  return text.size() - continuation;
}

// --- one code point ------------------------------------------------------------------------------

char32_t decode_beyond_ascii(const char*& at, const char* end) {
  const size_t length = sequence_length<true>(at, end);
  auto next = [&] { return static_cast<unsigned char>(*at++); };
  const char32_t first = next();
  if (length == 0) return 0xDC00 + first;
  constexpr unsigned char kBits[] = {0x7F, 0x1F, 0x0F, 0x07};
  char32_t c = first & kBits[length - 1];
  for (size_t i = 1; i < length; ++i) c = c << 6 | (next() & 0x3F);
  return c;
}

void append_utf8(std::string& text, char32_t c) {
  auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
  }
  put(0x80 | (c & 0x3F));
}

// --- whole texts ---------------------------------------------------------------------------------

bool is_valid_utf8(std::string_view bytes) {
  const char *at = bytes.data(), *end = at + bytes.size();
  while (at < end) {
    if (*at >= 0) {
      skip_ascii(at, end);
      continue;
    }
    const size_t length = sequence_length<false>(at, end);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

template <bool with_surrogates> static std::string escaped_where_malformed(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char *at = bytes.data(), *end = at + bytes.size(); at < end;) {
    const size_t length = sequence_length<with_surrogates>(at, end);
    if (length == 0) append_utf8(text, 0xDC00 + static_cast<unsigned char>(*at));
    text.append(at, length);
    at += length ? length : 1;
  }
  return text;
}

std::string escape_bytes(std::string_view bytes) { return escaped_where_malformed<false>(bytes); }
std::string escape_malformed(std::string_view text) { return escaped_where_malformed<true>(text); }

// The text with each surrogate replaced by the result of `put`.
template <class Put> static std::string with_surrogates_put(std::string_view text, Put&& put) {
  std::string result;
  result.reserve(text.size());
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const char* begin = at;
    const char32_t c = decode_utf8(at, end);
    if (!is_surrogate(c) || !put(result, c)) result.append(begin, at);
  }
  return result;
}

std::string unescape_bytes(std::string_view text) {
  return with_surrogates_put(text, [](std::string& bytes, char32_t c) {
    const bool is_byte = c >= 0xDC80 && c <= 0xDCFF;
    if (is_byte) bytes.push_back(static_cast<char>(c & 0xFF));
    return is_byte;
  });
}

std::string spell_surrogates(std::string_view text) {
  return with_surrogates_put(text, [](std::string& spelled, char32_t c) {
    spelled += fmt::format("\\u{:04x}", static_cast<uint32_t>(c));
    return true;
  });
}

}  // namespace gpy
