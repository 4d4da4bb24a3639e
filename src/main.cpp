// Puts the floors together: the command line's work with the library's modules.
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "src/command/command.h"
#include "stdlib/install.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  const int code = gpy::command::run_command({argv + 1, argv + argc}, gpy::lib::install);
  // Leaves without taking apart what the interpreter holds, but for the files it left open.
  std::fflush(nullptr);
  _exit(code);
}
