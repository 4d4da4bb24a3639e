// The child of a process that has used gpy goes on, with threads of its own.

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "src/embed/gpy.hpp"
#include "tests/cli/process.h"
#include "tests/ends/counts.h"
#include "tests/fake_cuda/environment.h"

namespace gpy::host {

namespace {

constexpr unsigned kSeconds = 20;

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The end of a child that runs `work`: 0, or 128 plus the signal; SIGALRM if it hangs. Its
// exceptions are printed.
int ends_with(const std::function<void()>& work) {
  std::fflush(stdout);  // else it is written twice
  const pid_t child = fork();
  if (child != 0) return status_of(child);
  for (int signal : {SIGSEGV, SIGABRT}) std::signal(signal, SIG_DFL);  // doctest sets handlers
  alarm(kSeconds);
  try {
    work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(1);
  }
  _exit(0);
}

const std::string kEverything =
    "import numpy as np\n"
    "assert float(np.sort(np.arange(2000000.0) % 7)[-1]) == 6\n"
    "assert float((np.ones(3000000) * 2).sum()) == 6000000\n"
    "assert (np.ones((300, 300)) @ np.ones((300, 300)))[0, 0] == 300\n"
    "assert np.linalg.svd(np.eye(100))[1].sum() == 100\n"
    "kernel raw add(float* a, float x) { a[blockIdx.x] += x; }\n"
    "a = gp.zeros(100000, dtype=gp.float32)\n"
    "add[100000, 1](a, 2)\n"
    "assert float(a.sum()) == 200000\n"
    "kernel raw turn(int n) { for (volatile int i = 0; i < n; ++i) { } }\n"
    "turn[64, 1](1000)\n";

std::string error_of(Interpreter& gpy, const std::string& source) {
  try {
    gpy.run(source);
  } catch (const Error& error) {
    return error.type() + ": " + error.message();
  }
  return "";
}

void require(bool holds, int line) {
  if (!holds) throw std::runtime_error("line " + std::to_string(line));
}
#define REQUIRE_HERE(condition) require(condition, __LINE__)

}  // namespace

TEST_CASE("a child uses the interpreter that it finds, closes it, and makes new ones") {
  auto gpy = std::make_unique<Interpreter>();
  gpy->run(kEverything + "pending = gp.arange(1000000) * 2");
  CHECK(ends_with([&] {
          gpy->run(kEverything);
          REQUIRE_HERE(gpy->evaluate("int(pending[999999])").to_int() == 1999998);
          Interpreter shares({.share_devices_with = gpy.get()});
          shares.run(kEverything);
          gpy.reset();
          shares.run(kEverything);
          Interpreter().run(kEverything);
        }) == 0);
  CHECK(ends_with([&] { gpy.reset(); }) == 0);
  CHECK(ends_with([&] { std::exit(0); }) == 0);
  CHECK(ends_with([&] {  // and its own child
          gpy->run(kEverything);
          REQUIRE_HERE(ends_with([&] { gpy->run(kEverything); }) == 0);
          gpy->run(kEverything);
        }) == 0);
  CHECK(error_of(*gpy, kEverything) == "");
}

TEST_CASE("limits and interrupts hold in a child") {
  Interpreter gpy;
  gpy.run(kEverything);
  gpy.limit({.seconds = 0.3});
  const std::string stopped = "Stopped: ran longer than 0.3 s";
  CHECK(ends_with([&] {
          REQUIRE_HERE(error_of(gpy, "while True: pass") == stopped);
          REQUIRE_HERE(error_of(gpy, "turn[1, 1](2**31 - 1)\nturn[1, 1](2**31 - 1)") == stopped);
        }) == 0);
}

TEST_CASE("limits hold in the child of a host function that forks, and returns or throws") {
  Interpreter gpy;
  gpy.limit({.seconds = 0.3});
  bool is_child = false;
  pid_t child = -1;
  gpy.define("fork", [&](const std::vector<Value>& arguments) {
    child = fork();
    is_child = child == 0;
    if (is_child) alarm(kSeconds);
    if (arguments.empty()) throw Error("OSError", is_child ? "child" : "parent");
    return gpy.make(is_child);
  });
  const std::string in_child = "    while True: pass\n";
  const std::vector<std::string> sources = {
      "if fork(1):\n" + in_child,
      "try: fork()\nexcept OSError as e:\n  if str(e) == 'child':\n" + in_child,
  };
  for (const std::string& source : sources) {
    const std::string error = error_of(gpy, source);
    const bool stopped = error == "Stopped: ran longer than 0.3 s";
    if (is_child) _exit(stopped && error_of(gpy, "1") == "" ? 0 : 1);
    CHECK(error == "");
    CHECK(status_of(child) == 0);
  }
}

TEST_CASE("forks while other threads work with the same devices") {
  Interpreter gpy;
  gpy.run(kEverything);
  const char* const kWorks[] = {
      "import numpy as np\nwhile True: a = np.sort(np.arange(300000.0) % 7)",
      "import numpy as np\nwhile True: a = (np.ones((200, 200)) @ np.ones((200, 200))).sum()",
      "while True: a = [gp.ones(n * 100) for n in range(100)]",
  };
  std::vector<std::unique_ptr<Interpreter>> others;
  std::vector<std::thread> threads;
  std::atomic<int> running{0};
  for (const char* work : kWorks) {
    Interpreter* other =
        others.emplace_back(std::make_unique<Interpreter>(Options{.share_devices_with = &gpy}))
            .get();
    other->define("begin", [&](const std::vector<Value>&) { return ++running, Value(); });
    threads.emplace_back([other, work] { error_of(*other, "begin()\n" + std::string(work)); });
  }
  while (running < static_cast<int>(std::size(kWorks))) std::this_thread::yield();
  for (int i = 0; i < test::forks(); ++i) {
    CAPTURE(i);
    REQUIRE(ends_with([&] {
              REQUIRE_HERE(error_of(*others[0], "1") ==
                           "RuntimeError: the interpreter was running on another thread when this "
                           "process was forked: it cannot go on here");
              others.clear();
              gpy.run("assert float((gp.ones(3000000) * 2).sum()) == 6000000\nb = gp.ones(100)");
              gpy.run("add[100000, 1](a, 2)");
            }) == 0);
  }
  for (const auto& other : others) other->interrupt();
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("a process is forked while locks come and go, and one changes the environment") {
  REQUIRE(error_of(*std::make_unique<Interpreter>(), kEverything) == "");
  std::atomic<bool> done{false};
  std::thread others[] = {
      std::thread([&] {
        while (!done) error_of(*std::make_unique<Interpreter>(), kEverything);
      }),
      std::thread([&] {
        Interpreter gpy;
        while (!done) gpy.run("import os\nfor i in range(1000): os.environ['GPY_TEST'] = str(i)");
      })};
  for (int i = 0; i < test::forks(); ++i) {
    CAPTURE(i);
    CHECK(ends_with([] {
            Interpreter gpy;
            gpy.run("import os\nos.environ['GPY_TEST'] = '1'\nassert (gp.ones(9) * 2).sum() == 18");
          }) == 0);
  }
  done = true;
  for (std::thread& thread : others) thread.join();
}

#ifdef GPY_FAKE_CUDA
TEST_CASE("in a child of a process that used a GPU there is none, and an error says so") {
  test::TemporaryFolder cache;
  const test::Run run{.environment = test::fake_gpu_environment(cache.path()), .seconds = 30};
  REQUIRE(test::run_gpy({"--device", "cuda", "-c", "gp.eval(gp.ones(3) + 1)"}, run).code == 0);
  const test::Result result = test::run_program(GPY_FORKER, {}, run);
  const std::string why =
      "CUDA does not work in a process that was forked from one that used it: start a new program, "
      "or fork before a GPU is first asked for";
  CHECK(result.out == "inherited: DeviceLostError: " + why +
                          "\nnew: ValueError: device cuda:0 is not there: " + why +
                          "\nany: 3\nclosed\nparent: ok\n");
  CHECK(result.err == "");
  CHECK(result.code == 0);
}
#endif

}  // namespace gpy::host
