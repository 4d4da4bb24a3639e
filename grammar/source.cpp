#include "grammar/source.h"

#include <algorithm>

namespace gpy::syntax {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string with_unix_newlines(std::string text) {
  if (std::ranges::find(text, '\r') == text.end()) return text;
  size_t out = 0;
  for (size_t in = 0; in < text.size(); ++in) {
    bool is_return = text[in] == '\r';
    if (is_return && in + 1 < text.size() && text[in + 1] == '\n') continue;
    text[out++] = is_return ? '\n' : text[in];
  }
  text.resize(out);
  return text;
}

std::vector<uint32_t> find_line_starts(std::string_view text) {
  std::vector<uint32_t> starts{0};
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
    starts.push_back(static_cast<uint32_t>(at + 1));
  }
  return starts;
}

}  // namespace

SourceFile::SourceFile(std::string name, std::string text) : name_(std::move(name)) {
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  text_ = with_unix_newlines(std::move(text));
  if (!text_.empty() && text_.back() != '\n') text_ += '\n';
  line_starts_ = find_line_starts(text_);
}

int SourceFile::line_of(uint32_t offset) const {
  auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<int>(after - line_starts_.begin());
}

Position SourceFile::position(uint32_t offset) const {
  int line = line_of(offset);
  uint32_t start = line_starts_[line - 1];
  auto is_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  auto before = text().substr(start, offset - start);
  return {line, 1 + static_cast<int>(std::count_if(before.begin(), before.end(), is_character))};
}

std::string_view SourceFile::line(int number) const {
  auto from_start = text().substr(line_starts_[number - 1]);
  return from_start.substr(0, from_start.find('\n'));
}

}  // namespace gpy::syntax
