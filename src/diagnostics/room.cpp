#include "src/diagnostics/room.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpy {

std::string cut_to_show(std::string text, size_t most) {
  if (text.size() <= most) return text;
  size_t end = most;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // within a character
  const size_t left = text.size() - end;
  text.resize(end);
  text.shrink_to_fit();
  return text + fmt::format("... [{} bytes more]", left);
}

std::string Room::cut(std::string text) {
  constexpr size_t kLeast = 1000;
  text = cut_to_show(std::move(text), std::max(left_, kLeast));
  left_ -= std::min(left_, text.size());
  return text;
}

std::string Room::whole(std::string_view text) {
  if (text.size() > left_) return "";
  left_ -= text.size();
  return std::string(text);
}

}  // namespace gpy
