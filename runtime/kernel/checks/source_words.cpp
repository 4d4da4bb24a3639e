#include "runtime/kernel/checks/source_words.h"

#include <algorithm>
#include <cctype>

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {

namespace {

bool begins_line(std::string_view text, size_t at) {
  const size_t before = at == 0 ? text.npos : text.find_last_not_of(" \t", at - 1);
  return before == text.npos || text[before] == '\n';
}

size_t end_of_directive(std::string_view text, size_t at) {
  size_t end = text.find('\n', at);
  while (end != text.npos && end > 0 && text[end - 1] == '\\') end = text.find('\n', end + 1);
  return std::min(end, text.size());
}

}  // namespace

std::vector<SourceWord> source_words(std::string_view clean) {
  std::vector<SourceWord> words;
  for (size_t i = 0; i < clean.size();) {
    const size_t start = i;
    if (std::isspace(static_cast<unsigned char>(clean[i]))) {
      ++i;
      continue;
    }
    if (clean[i] == '#' && begins_line(clean, i)) {
      i = end_of_directive(clean, i);
      continue;
    }
    while (i < clean.size() && is_name_char(clean[i])) ++i;
    if (i == start) ++i;
    words.push_back({clean.substr(start, i - start), start});
  }
  return words;
}

size_t closing_word(const std::vector<SourceWord>& words, size_t open) {
  int depth = 0;
  for (size_t i = open; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (word == "(" || word == "[" || word == "{") ++depth;
    if ((word == ")" || word == "]" || word == "}") && --depth == 0) return i;
  }
  return words.size();
}

void SourceChanges::replace(size_t begin, size_t end, std::string text) {
  const std::string_view part = source_.substr(begin, end - begin);
  text.append(static_cast<size_t>(std::ranges::count(part, '\n')), '\n');
  changes_.push_back({begin, end, std::move(text)});
}

std::string SourceChanges::result() const {
  std::vector<Change> ordered = changes_;
  std::ranges::stable_sort(ordered, {}, &Change::begin);
  std::string out;
  size_t done = 0;
  for (const Change& each : ordered) {
    if (each.begin < done) continue;
    out.append(source_, done, each.begin - done).append(each.text);
    done = each.end;
  }
  return out.append(source_, done);
}

}  // namespace gpy::rt
