#pragma once
// Lines of a text, as doctest's readers and reports take them.

#include <algorithm>
#include <string_view>

namespace gpy::command {

// Calls f(line, whether a newline ends it) for each line, without its newline.
template <class F> void each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const bool is_ended = end < text.size();
    f(text.substr(0, end), is_ended);
    text.remove_prefix(end + is_ended);
  }
}

}  // namespace gpy::command
