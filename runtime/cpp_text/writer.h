#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace gpy::rt {

// Lines of C++ with their indentation.
class CppWriter {
 public:
  template <class... Args> void line(fmt::format_string<Args...> text, Args&&... args) {
    text_.append(2 * depth_, ' ');
    fmt::format_to(std::back_inserter(text_), text, std::forward<Args>(args)...);
    text_ += '\n';
  }
  // "for (...) {" and what closes it.
  template <class... Args> void open(fmt::format_string<Args...> text, Args&&... args) {
    line(text, std::forward<Args>(args)...);
    ++depth_;
  }
  void close(std::string_view text = "}") {
    --depth_;
    line("{}", text);
  }
  // "} else {": ends one block and begins the next.
  void turn(std::string_view text) {
    close(text);
    ++depth_;
  }
  void raw(std::string_view text) { text_ += text; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  int depth_ = 0;
};

}  // namespace gpy::rt
