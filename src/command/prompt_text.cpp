#include "src/command/prompt_text.h"

namespace gpy::command {

// "..." alone is a value; what follows a prompt is a space, or the line's end where an editor cut it.
std::string without_prompt(std::string_view line) {
  const size_t indent = line.find_first_not_of(' ');
  if (indent == line.npos) return std::string(line);
  const std::string_view text = line.substr(indent);
  for (std::string_view prompt : {">>> ", "... "}) {
    if (text.starts_with(prompt)) return without_prompt(text.substr(prompt.size()));
  }
  return text == ">>>" ? "" : std::string(line);
}

}  // namespace gpy::command
