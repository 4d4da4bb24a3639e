// gp.explain tells of loops that were compiled, and why one is interpreted.

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "tests/cli/process.h"

namespace gpy::test {
namespace {

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// What is told of a loop in a function of `n`, of which `begin` and `step` are lines.
std::string explained(const std::string& begin, const std::string& step) {
  TemporaryFolder folder;
  folder.write("script.gpy", "@gp.compile\ndef f(n):\n    " + begin +
                                 "\n    for i in range(n):\n        " + step +
                                 "\n    return s\nf(1000)\nprint(gp.explain(f), end='')\n");
  return run_gpy({"script.gpy"}, {.environment = {{"GPY_DEVICE", "cpu"}}, .folder = folder.path()})
      .out;
}

}  // namespace

TEST_CASE("a loop over what compiled code cannot hold is told with the reason") {
  CHECK(
      holds(explained("s = 1", "s *= 3"), "line 4: interpreted: line 5: 's' is an int beyond 64"));
  CHECK(holds(explained("s = ''", "s += str(i)"), "line 4: interpreted: line 5: 's' is text"));
  CHECK(holds(explained("s = []", "s = s + [i]"), "line 4: interpreted: line 5: 's' is a list"));
  CHECK(holds(explained("s = 0", "s += i"), "line 4: compiled, taken over"));
}

TEST_CASE("a name that an iteration sets first may hold anything before it") {
  TemporaryFolder folder;
  folder.write("script.gpy",
               "@gp.compile\ndef f(n):\n    x, total = 'text', 0\n    for i in range(n):\n"
               "        x = 2 * i\n        total += x\n    return x, total\n"
               "print(f(100), f(0), f(3))\nprint(gp.explain(f), end='')\n");
  const Result result = run_gpy({"script.gpy"}, {.folder = folder.path()});
  CHECK(result.out == "(198, 9900) ('text', 0) (4, 6)\nline 4: compiled, taken over 2 times\n");
}

}  // namespace gpy::test
