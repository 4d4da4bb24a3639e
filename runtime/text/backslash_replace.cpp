#include "runtime/text/backslash_replace.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpy::rt {
namespace {

// Bytes of one character of UTF-8 at `at`; 0 if there is none.
size_t character_bytes(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const size_t count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (size_t i = 1; i < count; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  const unsigned next = byte(at + 1);
  const bool shortest = (first != 0xe0 || next >= 0xa0) && (first != 0xf0 || next >= 0x90);
  const bool in_range = (first != 0xed || next < 0xa0) && (first != 0xf4 || next < 0x90);
  return shortest && in_range ? count : 0;
}

}  // namespace

std::string backslash_replace(std::string_view bytes) {
  std::string out;
  for (size_t at = 0; at < bytes.size();) {
    const size_t count = character_bytes(bytes, at);
    if (count) out += bytes.substr(at, count);
    else out += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[at]));
    at += std::max<size_t>(count, 1);
  }
  return out;
}

}  // namespace gpy::rt
