// Puts the floors together: the command line's work with the library's modules.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "src/command/command.h"
#include "stdlib/install.h"

// A standard stream that was closed before leads nowhere: its number must not become a file's that
// the program opens.
static void keep_standard_streams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) (void)!open("/dev/null", O_RDWR);
  }
}

// What the commands printed is out, or it is told that it is not.
static bool flush_output() {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return true;
  if (errno != EPIPE) std::fprintf(stderr, "gpy: cannot write the output: %s\n", strerror(errno));
  return false;
}

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  keep_standard_streams();
  const int code = gpy::command::run_command({argv + 1, argv + argc}, gpy::lib::install);
  // Leaves without taking apart what the interpreter holds, but for the files it left open.
  const bool is_out = flush_output();
  std::fflush(nullptr);
  _exit(is_out || code != 0 ? code : gpy::command::kError);
}
