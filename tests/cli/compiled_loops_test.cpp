// What gp.explain tells of loops that were compiled.

#include <doctest/doctest.h>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

std::string told_of(const std::string& body, const std::string& calls) {
  return run_gpy({"-c", "@gp.compile\ndef f(n):\n" + body + calls + "print(gp.explain(f))\n"}).out;
}

}  // namespace

TEST_CASE("names that a loop sets first may hold anything before it") {
  const std::string body =
      "    x, total = 'text', 0\n"
      "    for i in range(n):\n"
      "        x = 2 * i\n"
      "        total += x\n"
      "    return x, total\n";
  CHECK(told_of(body, "print(f(100), f(0), f(3))\n") ==
        "(198, 9900) ('text', 0) (4, 6)\nline 4: compiled, taken over 2 times\n\n");
}

}  // namespace gpy::test
