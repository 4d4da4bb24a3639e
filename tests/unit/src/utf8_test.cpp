// Generalized UTF-8: the texts that are well-formed, and no reading past the end.

#include "src/objects/utf8.h"

#include <doctest/doctest.h>

#include <vector>

namespace gpy {

static std::string encoded(char32_t c) {
  std::string text;
  append_utf8(text, c);
  return text;
}

TEST_CASE("every code point goes in and out, surrogates too") {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const std::string text = encoded(c);
    const char* at = text.data();
    REQUIRE(decode_utf8(at, text.data() + text.size()) == c);
    REQUIRE(at == text.data() + text.size());
    REQUIRE(measure_utf8(text).bytes == text.size());
    REQUIRE(measure_utf8(text).code_points == 1);
    REQUIRE(is_valid_utf8(text) == !is_surrogate(c));
  }
}

// Bytes at which a rule of UTF-8 begins or ends.
static const std::string kEdges(
    "A\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xED\xEF\xF0\xF4\xF5\xFF", 19);

// Calls f with all texts of so many of those bytes, each in memory of just its size.
template <class F> static void each_text(size_t size, F&& f) {
  size_t count = 1;
  for (size_t i = 0; i < size; ++i) count *= kEdges.size();
  for (size_t number = 0; number < count; ++number) {
    std::vector<char> bytes(size);
    size_t rest = number;
    for (char& byte : bytes) {
      byte = kEdges[rest % kEdges.size()];
      rest /= kEdges.size();
    }
    f(std::string_view(bytes.data(), bytes.size()));
  }
}

TEST_CASE("any bytes are walked to their end, and escaped and back are the same") {
  for (size_t size = 1; size <= 4; ++size) {
    each_text(size, [](std::string_view bytes) {
      const char *at = bytes.data(), *end = at + bytes.size();
      while (at < end) decode_utf8(at, end);
      REQUIRE(at == end);
      const std::string text = escape_bytes(bytes);
      REQUIRE(measure_utf8(text).bytes == text.size());
      REQUIRE(unescape_bytes(text) == bytes);
      REQUIRE(is_valid_utf8(spell_surrogates(bytes)));
      const std::string kept = escape_malformed(bytes);
      REQUIRE(measure_utf8(kept).bytes == kept.size());
      REQUIRE((kept == bytes) == (measure_utf8(bytes).bytes == bytes.size()));
    });
  }
}

TEST_CASE("measuring stops at what is not well-formed") {
  CHECK(measure_utf8("").bytes == 0);
  CHECK(measure_utf8("plain text, long").code_points == 16);
  CHECK(measure_utf8("pl\xC3\xA9in text, l\xE2\x82\xACng").code_points == 16);
  CHECK(measure_utf8("nine byte\xFF").bytes == 9);
  CHECK(measure_utf8("\xC3\xA9\xE2\x82").bytes == 2);
  CHECK(measure_utf8("\xC0\x80").bytes == 0);          // not the shortest form
  CHECK(measure_utf8("\xF4\x90\x80\x80").bytes == 0);  // beyond 0x10FFFF
}

TEST_CASE("two surrogates side by side stay two") {
  const std::string pair = encoded(0xD83D) + encoded(0xDE00);
  CHECK(measure_utf8(pair).code_points == 2);
  CHECK(count_code_points(pair) == 2);
  CHECK(spell_surrogates(pair) == "\\ud83d\\ude00");
  CHECK(escape_malformed(pair) == pair);
  CHECK(escape_bytes(pair).size() == 18);  // each of the six bytes as a surrogate
}

}  // namespace gpy
