#include "tests/cli/terminal.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace gpy::test {

namespace {

// Text without the sequences that move the cursor, colour or bracket pastes, and without \r.
std::string plain(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
    } else if (text[i] != '\r' && text[i] != '\x07') {
      result += text[i];
    }
  }
  return result;
}

bool ends_soon(pid_t child) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (std::chrono::steady_clock::now() < end) {
    if (waitpid(child, nullptr, WNOHANG) != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace

Terminal::Terminal(const std::string& program, std::vector<std::string> arguments) {
  winsize size{50, 200, 0, 0};
  child_ = forkpty(&terminal_, nullptr, nullptr, &size);
  if (child_ < 0) throw std::runtime_error("no terminal");
  if (child_ > 0) return;
  setenv("TERM", "xterm", 1);
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  _exit(127);
}

// Closes the terminal like a window: the program gets SIGHUP.
Terminal::~Terminal() {
  close(terminal_);
  if (child_ > 0 && !ends_soon(child_)) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
}

void Terminal::type(std::string_view keys) { (void)!write(terminal_, keys.data(), keys.size()); }

void Terminal::resize(unsigned short rows, unsigned short columns) {
  const winsize size{rows, columns, 0, 0};
  ioctl(terminal_, TIOCSWINSZ, &size);
}

void Terminal::pause(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    const std::chrono::duration<double, std::milli> left = end - std::chrono::steady_clock::now();
    if (left.count() <= 0) return;
    read_some(static_cast<int>(left.count()) + 1);
  }
}

void Terminal::send(int signal) { kill(child_, signal); }

bool Terminal::echoes() const {
  termios mode;
  return tcgetattr(terminal_, &mode) == 0 && (mode.c_lflag & ECHO) && (mode.c_lflag & ICANON);
}

bool Terminal::read_some(int milliseconds) {
  pollfd end{terminal_, POLLIN, 0};
  if (poll(&end, 1, milliseconds) <= 0) return false;
  char buffer[4096];
  ssize_t count = read(terminal_, buffer, sizeof buffer);
  if (count <= 0) return false;
  shown_ += plain({buffer, static_cast<size_t>(count)});
  return true;
}

bool Terminal::wait_for(std::string_view text, double seconds) {
  auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    size_t at = shown_.find(text, seen_);
    if (at != shown_.npos) {
      seen_ = at + text.size();
      return true;
    }
    if (std::chrono::steady_clock::now() > end) return false;
    read_some(50);
  }
}

std::string Terminal::enter(std::string_view line) {
  size_t start = seen_;
  type(std::string(line) + "\n");
  if (!wait_for("\n") || !wait_for(">>> ")) return shown_.substr(start) + "<no prompt>";
  std::string shown = shown_.substr(start, seen_ - start - 4);
  size_t echo = shown.find('\n');
  return shown.substr(echo == shown.npos ? 0 : echo + 1);
}

int Terminal::wait_for_end(double seconds) {
  auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    read_some(20);
    int status = 0;
    if (waitpid(child_, &status, WNOHANG) == child_) {
      child_ = -1;
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
  }
  return -1;
}

}  // namespace gpy::test
