#pragma once
// A program at a terminal: typed keys and shown text.

#include <sys/types.h>

#include <string>
#include <vector>

namespace gpy::test {

class Terminal {
 public:
  Terminal(const std::string& program, std::vector<std::string> arguments);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void type(std::string_view keys);
  // Reads what is shown meanwhile.
  void pause(double seconds);
  void send(int signal);
  // Whether the terminal shows what is typed by itself, in whole lines.
  bool echoes() const;
  void resize(unsigned short rows, unsigned short columns);
  // Reads until `text` has been shown since the last wait; false when it does not come.
  bool wait_for(std::string_view text, double seconds = 20);
  // Types a line and gives what was shown up to the next prompt, without the echo of the line.
  std::string enter(std::string_view line);
  // Waits for the program's end; its exit code, -1 when it does not end.
  int wait_for_end(double seconds = 20);
  const std::string& shown() const { return shown_; }

 private:
  bool read_some(int milliseconds);

  int terminal_ = -1;
  pid_t child_ = -1;
  std::string shown_;  // without escape sequences
  size_t seen_ = 0;    // how much of it earlier waits have used
};

}  // namespace gpy::test
