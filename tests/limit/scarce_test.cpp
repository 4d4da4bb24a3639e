// Where the system gives little stack or no more threads, arrays are computed all the same.

#include <doctest/doctest.h>

#include <string>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

// The script under a shell's limits: "-s 512" is `ulimit -s 512`.
Result run_under(const std::string& limits, const std::string& source) {
  TemporaryFolder folder;
  const std::string script = folder.write("script.gpy", source);
  Run run;
  run.environment = {{"GPY_DEVICE", "cpu"}, {"GPY_NUM_THREADS", "4"}};
  return run_program("bash", {"-c", limits + "; exec \"$0\" \"$1\"", gpy_path(), script}, run);
}

// A thread's stack is as large as the limit, which the address space does not hold.
const std::string kNoThreads = "ulimit -s 4000000; ulimit -v 3000000";

}  // namespace

TEST_CASE("factorisations have the stack that they need") {
  const Result result = run_under("ulimit -s 512",
                                  "import numpy as np\n"
                                  "a = np.random.default_rng(0).random((300, 300))\n"
                                  "print(np.allclose(np.linalg.inv(a) @ a, np.eye(300)))\n"
                                  "print(np.linalg.inv(np.eye(4)).sum())\n"
                                  "print(np.linalg.slogdet(a)[0])\n"
                                  "print(np.linalg.solve(a, a).shape)\n");
  CHECK(result.err == "");
  CHECK(result.out == "True\n4.0\n-1.0\n(300, 300)\n");
}

TEST_CASE("with no thread but the first, it does the work") {
  const Result result = run_under(kNoThreads,
                                  "import numpy as np\n"
                                  "print((np.ones(10**6) * 2).sum())\n"
                                  "m = np.ones((500, 500))\n"
                                  "print((m @ m).sum())\n"
                                  "print(np.linalg.inv(np.eye(200)).sum())\n");
  CHECK(result.err == "");
  CHECK(result.out == "2000000.0\n125000000.0\n200.0\n");
}

}  // namespace gpy::test
