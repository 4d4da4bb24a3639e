// The program: the command line's work with the modules of the library.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "src/command/command.h"
#include "stdlib/install.h"

// Opens /dev/null for a standard stream that was closed before the start: its number must not
// become that of a file that the program opens.
static void keep_standard_streams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) (void)!open("/dev/null", O_RDWR);
  }
}

// Whether the stack has room for a parser and a call or two.
static bool has_stack() {
  constexpr rlim_t kLeast = 64 << 10;
  rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kLeast) return true;
  static constexpr char kText[] = "gpy: the stack is too small: 64 KiB are needed (ulimit -s)\n";
  (void)!write(STDERR_FILENO, kText, sizeof kText - 1);
  return false;
}

// Flushes what the commands printed, or reports that it is lost. Returns an exit code.
static int flush_output() {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return gpy::command::kOk;
  if (errno == EPIPE) return gpy::command::kError;  // nobody reads it any more
  std::fprintf(stderr, "gpy: cannot write the output: %s\n", strerror(errno));
  return gpy::command::kLostOutput;
}

int main(int argc, char** argv) {
  if (!has_stack()) return gpy::command::kError;
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);  // errors instead
  keep_standard_streams();
  const int code = gpy::command::run_command({argv + 1, argv + argc}, gpy::lib::install);
  // Leaves without destroying what the interpreter holds, but writes the files it left open.
  const int lost = flush_output();
  std::fflush(nullptr);
  _exit(code ? code : lost);
}
