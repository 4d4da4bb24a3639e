// A host whose memory is used up gets an Error, and its interpreter goes on.

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/embed/gpy.hpp"

namespace gpy::test {

// Runs in a child process, which the limit stays with: 0 if all is as it should be.
static int use_all_memory() {
  const rlimit limit{300 << 20, 300 << 20};
  setrlimit(RLIMIT_AS, &limit);
  host::Interpreter gpy;
  try {
    gpy.run("x = None\nwhile True:\n    x = (x,)\n", "fill");
    return 1;
  } catch (const host::Error& error) {
    if (error.type() != "MemoryError" || error.line() != 3) return 2;
  }
  gpy.run("x = None");
  return gpy.evaluate("sum(range(10))").to_int() == 45 ? 0 : 3;
}

TEST_CASE("memory that is used up is an Error of the host's") {
  const pid_t child = fork();
  if (child == 0) {
    int code = 4;
    try {
      code = use_all_memory();
    } catch (...) {
    }
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

}  // namespace gpy::test
