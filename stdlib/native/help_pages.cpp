#include "stdlib/native/help_pages.h"

#include <algorithm>
#include <utility>

namespace gpy::lib {

namespace {

std::string numpys_name(std::string_view module) {
  for (const std::string_view other : {"cupy", "gpy"}) {
    const bool is_other =
        module == other || (module.starts_with(other) && module[other.size()] == '.');
    if (is_other) return "numpy" + std::string(module.substr(other.size()));
  }
  return std::string(module);
}

// The indented lines below the line of a name.
std::string_view entry_of(std::string_view text, std::string_view name) {
  const std::string heading = "\n" + std::string(name) + "\n";
  const size_t found = text.find(heading);
  if (found == text.npos) return {};
  const std::string_view body = text.substr(found + heading.size());
  size_t end = 0;
  while (end < body.size() && (body[end] == ' ' || body[end] == '\n')) {
    end = std::min(body.find('\n', end), body.size() - 1) + 1;
  }
  return body.substr(0, end);
}

std::string without_indentation(std::string_view body) {
  constexpr size_t kIndentation = 4;
  std::string text;
  while (!body.empty()) {
    const size_t end = std::min(body.find('\n'), body.size());
    if (end > kIndentation) text += body.substr(kIndentation, end - kIndentation);
    text += '\n';
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string_view find_entry(std::string_view module, std::string_view name) {
  for (const HelpText& each : help_texts()) {
    if (each.module != module) continue;
    const std::string_view entry = entry_of(each.text, name);
    if (!entry.empty()) return entry;
  }
  return {};
}

// Where methods of two classes, or a method and a function, do the same, one page tells of it.
constexpr std::pair<std::string_view, std::string_view> kSame[] = {
    {"ndarray.", ""}, {"MaskedArray.", ""}, {"RandomState.", "Generator."}};

}  // namespace

std::string help_page(std::string_view module, std::string_view qualified_name) {
  const std::string home = numpys_name(module);
  std::string_view entry = find_entry(home, qualified_name);
  for (const auto& [method, other] : kSame) {
    if (!entry.empty() || !qualified_name.starts_with(method)) continue;
    entry = find_entry(home, std::string(other).append(qualified_name.substr(method.size())));
  }
  return without_indentation(entry);
}

}  // namespace gpy::lib
