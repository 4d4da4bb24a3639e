// Out of memory: the error is reported, or caught, and the interpreter goes on.

#include <doctest/doctest.h>

#include <string>

#include "tests/cli/process.h"

namespace gpy::test {

// Runs a script that may have 300 MB of addresses.
static Result run_short(const std::string& script) {
  TemporaryFolder folder;
  const std::string path = folder.write("script.gpy", script);
  return run_program(
      "sh", {"-c", "ulimit -v 300000; exec '" + gpy_path() + "' --device cpu '" + path + "'"});
}

TEST_CASE("what takes all memory ends in a MemoryError that says where") {
  for (const char* grows : {"x = (x,)", "x = [x]", "x = {1: x}", "x = (x, 'a' * 100000)"}) {
    CAPTURE(grows);
    const Result result = run_short(std::string("x = None\nwhile True:\n    ") + grows + "\n");
    CHECK(result.code == 1);
    CHECK(result.err.find("line 3, in <module>\n    " + std::string(grows)) != std::string::npos);
    CHECK(result.err.ends_with("MemoryError\n"));
  }
}

TEST_CASE("a MemoryError is caught, again and again, and what was held is freed") {
  const Result result = run_short(
      "def fill():\n"
      "    x = None\n"
      "    while True:\n"
      "        x = (x,)\n"
      "for i in range(10):\n"
      "    try:\n"
      "        fill()\n"
      "    except MemoryError as e:\n"
      "        print(i, type(e).__name__)\n"
      "print(sum(range(100)))\n");
  CHECK(result.err == "");
  CHECK(result.code == 0);
  CHECK(result.out.ends_with("9 MemoryError\n4950\n"));
}

}  // namespace gpy::test
