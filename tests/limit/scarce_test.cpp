// Where the system gives little stack or no more threads, arrays are still computed.

#include <doctest/doctest.h>

#include <string>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

// The script under a shell's limits: "-s 512" is `ulimit -s 512`.
Result run_under(const std::string& limits, const std::string& source,
                 std::vector<std::pair<std::string, std::string>> environment = {}) {
  TemporaryFolder folder;
  const std::string script = folder.write("script.gpy", source);
  Run run;
  run.environment = {{"GPY_DEVICE", "cpu"}, {"GPY_NUM_THREADS", "4"}};
  for (auto& variable : environment) run.environment.push_back(std::move(variable));
  return run_program("bash", {"-c", limits + "; exec \"$0\" \"$1\"", gpy_path(), script}, run);
}

const std::string kProduct =
    "import numpy as np\n"
    "m = np.ones((300, 300))\n"
    "print((m @ m).sum())\n"
    "try: print(np.linalg.inv(np.eye(200)).sum())\n"
    "except MemoryError as e: print(str(e)[:38])\n";
const std::string kComputed = "27000000.0\n200.0\n";
const std::string kRefused = "27000000.0\nlinear algebra needs a library that is\n";

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

TEST_CASE("where OpenBLAS has no room, products go without it, and the rest says so") {
  CHECK(run_under("ulimit -v unlimited", kProduct).out == kComputed);
  CHECK(run_under("ulimit -v 150000", kProduct).out == kRefused);
  for (const int kilobytes : {200000, 250000, 300000, 350000, 400000, 500000}) {
    CAPTURE(kilobytes);
    const Result result = run_under("ulimit -v " + std::to_string(kilobytes), kProduct);
    CHECK(result.err == "");
    CHECK((result.out == kComputed || result.out == kRefused));
  }
}

TEST_CASE("where no file can be opened, nothing is said of what could not be looked for") {
  const Result result = run_under("ulimit -n 64",
                                  "import numpy as np\n"
                                  "files = []\n"
                                  "try:\n"
                                  "  while True: files.append(open('/dev/null'))\n"
                                  "except OSError: pass\n"
                                  "try: np.linalg.inv(np.eye(2))\n"
                                  "except OSError as e: print(e)\n");
  CHECK(result.out == "[Errno 24] Too many open files: 'libopenblas.so.0'\n");
}

TEST_CASE("OpenBLAS finds room for as many threads as the environment says that it starts") {
  for (const char* name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}) {
    for (const char* threads : {"2", "8", "100000"}) {
      CAPTURE(std::string(name));
      CAPTURE(std::string(threads));
      CHECK(run_under("ulimit -v 100000000", kProduct, {{name, threads}}).out == kComputed);
      const Result without =
          run_under(kNoThreads, kProduct + "import os\nprint(os.environ['" + name + "'])\n",
                    {{name, threads}});
      CHECK(without.out == kComputed + threads + "\n");
      CHECK_FALSE(without.timed_out);
    }
  }
}

TEST_CASE("what OpenBLAS is told stays out of the environment") {
  const Result result = run_under("unset ${!OPENBLAS_@}; ulimit -v 3000000; ulimit -s 4000000",
                                  "import numpy as np, os\n"
                                  "m = np.ones((50, 50))\n"
                                  "print((m @ m).sum())\n"
                                  "print([name for name in os.environ if 'OPENBLAS' in name])\n");
  CHECK(result.out == "125000.0\n[]\n");
}

}  // namespace gpy::test
