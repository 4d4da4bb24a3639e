#pragma once
// Finding text in text, in time that grows with the sum of their lengths whatever they are.

#include <cstring>
#include <string_view>

namespace gpy {

inline size_t find_text(std::string_view text, std::string_view wanted, size_t from = 0) {
  if (from > text.size()) return text.npos;
  const void* found = memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  if (!found) return text.npos;
  return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace gpy
