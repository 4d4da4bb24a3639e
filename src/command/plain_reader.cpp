#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "src/command/line_reader.h"

namespace gpy::command {

namespace {

// Reads the descriptor itself: text that stdio reads ahead would be lost for input().
class PlainReader final : public LineReader {
 public:
  std::optional<std::string> read(const std::string& prompt) override {
    std::fputs(prompt.c_str(), stderr);
    std::string line;
    for (char c; true;) {
      const ssize_t count = ::read(STDIN_FILENO, &c, 1);
      if (count < 0 && errno == EINTR) throw LineInterrupted();
      if (count <= 0) return line.empty() ? std::nullopt : std::optional(line);
      if (c == '\n') return line;
      line += c;
    }
  }
};

}  // namespace

std::unique_ptr<LineReader> make_plain_reader() { return std::make_unique<PlainReader>(); }

}  // namespace gpy::command
