// The example is built as its reader would build it.

#include <doctest/doctest.h>

#include "tests/cli/process.h"

namespace gpy::test {

TEST_CASE("examples/embed_cpp builds against the library and runs") {
  TemporaryFolder folder;
  const std::string source = source_root() + "/examples/embed_cpp";
  Result configured = run_program(
      GPY_CMAKE, {"-S", source, "-B", folder.path(), std::string("-DGPY_BUILD=") + GPY_BUILD});
  REQUIRE_MESSAGE(configured.code == 0, configured.err);
  Result built = run_program(GPY_CMAKE, {"--build", folder.path()}, {.seconds = 300});
  REQUIRE_MESSAGE(built.code == 0, built.out, built.err);
  Result ran = run_program(folder.path() + "/embed", {});
  CHECK(ran.code == 0);
  CHECK(ran.err == "");
  const std::string expected =
      "total 6\n"
      "written by the script: 2 4 6\n"
      "sums of columns: 6 9 12\n"
      "scaled by the second: -600\n"
      "ValueError at broken.gpy:2\n"
      "Traceback (most recent call last):\n"
      "  File \"broken.gpy\", line 2, in <module>\n"
      "    np.ones(3) + np.ones(4)\n";
  CHECK(ran.out.substr(0, expected.size()) == expected);
  CHECK(ran.out.find("could not be broadcast together with shapes (3,) (4,)") != std::string::npos);
}

}  // namespace gpy::test
