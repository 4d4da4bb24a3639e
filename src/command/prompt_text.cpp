#include "src/command/prompt_text.h"

#include <poll.h>
#include <unistd.h>

namespace gpy::command {

namespace {

// The text behind a prompt and its space; editors may have cut the space at the end of a line.
std::optional<std::string> behind(std::string_view line, std::string_view prompt) {
  const size_t indent = line.find_first_not_of(' ');
  if (indent == line.npos || !line.substr(indent).starts_with(prompt)) return std::nullopt;
  const std::string_view rest = line.substr(indent + prompt.size());
  if (rest.empty()) return "";
  return rest[0] == ' ' ? std::optional(std::string(rest.substr(1))) : std::nullopt;
}

// Whether input is waiting: all lines of a paste but the first are there before they are read.
bool input_is_waiting() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, 0) > 0 && (input.revents & POLLIN);
}

}  // namespace

// A line of "..." alone is a value, not a prompt.
std::optional<std::string> behind_prompt(std::string_view line) {
  std::optional<std::string> text = behind(line, ">>>");
  if (!text && !line.ends_with("...")) text = behind(line, "...");
  return text ? std::optional(behind_prompt(*text).value_or(*text)) : std::nullopt;
}

std::optional<std::string> SourceLines::read(const char* prompt) {
  if (held_) return std::exchange(held_, std::nullopt);
  pasting_ = pasting_ && input_is_waiting();
  return reader_->read(prompt);
}

std::optional<std::string> SourceLines::first() {
  while (std::optional<std::string> line = read(">>> ")) {
    const std::optional<std::string> source = behind_prompt(*line);
    if (pasting_ && !source) continue;
    pasting_ = pasting_ || source;
    const std::string text = source.value_or(*line);
    reader_->remember(text);
    return text;
  }
  return std::nullopt;
}

// The next line of an entry. In a paste a block ends at its output, or at the next entry.
std::optional<std::string> SourceLines::next() {
  std::optional<std::string> line = read("... ");
  if (!line) return std::nullopt;
  std::optional<std::string> source = behind_prompt(*line);
  if (pasting_) {
    if (behind(*line, ">>>")) return held_ = line, "";
    source = behind(*line, "...").value_or("");
  }
  const std::string text = source.value_or(*line);
  reader_->remember(text);
  return text;
}

}  // namespace gpy::command
