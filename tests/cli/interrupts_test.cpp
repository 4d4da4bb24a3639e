// Ctrl-C at any moment of work at the prompt: the prompt again, names whole, memory given back.
//
// GPY_TEST_INTERRUPTS is the number of moments (scripts/test --long: 1000); a few otherwise.

#include <doctest/doctest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/process.h"
#include "tests/cli/terminal.h"

namespace gpy::test {

namespace {

int moments() {
  const char* asked = std::getenv("GPY_TEST_INTERRUPTS");
  return asked && *asked ? std::atoi(asked) : 25;
}

struct Prompt : Terminal {
  explicit Prompt(const std::string& device) : Prompt(gpy_path(), {"--device", device}) {}
  Prompt(const std::string& program, std::vector<std::string> arguments)
      : Terminal(program, std::move(arguments)) {
    ready = wait_for(">>> ");
  }
  // Waits until the prompt is there and answers. A line may be lost to a Ctrl-C that another
  // thread of the process (a library's) got and delivers late: one in all, and one more in each
  // hundred.
  bool answers() {
    while (lost_ <= 1 + questions_ / 100) {
      const std::string number = std::to_string(++questions_);
      type("'ans' + 'wer" + number + "'\n");
      if (wait_for("answer" + number + "'\n", 10)) return wait_for(">>> ");
      ++lost_;
    }
    return false;
  }
  bool ready = false;

 private:
  int questions_ = 0, lost_ = 0;
};

// Each sets `x` to a pair whose parts agree, or leaves it.
const char* const kWork[] = {
    "x = (lambda a: (a, float(a[0])))(np.sort(np.arange(3000000.0) * 7 % 1001))",
    "x = (lambda a: (a, float(a[0])))(np.cumsum(np.ones(4000000)))",
    "x = (lambda a: (a, a[0]))([i * i for i in range(300000)])",
    "x = (lambda a: (a, float(a[0, 0])))(np.ones((300, 300)) @ np.ones((300, 300)))",
    "x = (lambda a: (a, a[0]))(sorted(str(i) for i in range(60000)))",
    "np.cumsum(np.ones(4000000))",
    "%time np.exp(np.ones(2000000)).sum()",
    "for i in range(40): x = (lambda a: (a, float(a[0])))(np.ones(100000) * i + 1)\n",
    "import json; x = (lambda a: (a, a[0]))(json.loads(json.dumps(list(range(100000)))))",
};

const char* const kDeviceWork[] = {
    "x = made(gp.ones(1 << 20) * 3)",
    "for i in range(300): x = made(gp.ones(1 << 12) * i)\n",
    "x = made(gp.asarray(np.arange(1 << 18)) + 1)",
    "gp.ones(1 << 18) + 1",
    "x = made(gp.sort(gp.arange(1 << 16)))",
};

// Presses Ctrl-C once to three times, some moment after the work began.
void interrupt(Prompt& prompt, std::mt19937& random) {
  const double longest = random() % 3 == 0 ? 0.15 : 0.03;
  const int presses = random() % 4 == 0 ? 1 + static_cast<int>(random() % 3) : 1;
  prompt.pause(longest * static_cast<double>(random() % 1000) / 1000);
  for (int press = 0; press < presses; ++press) {
    prompt.type("\x03");
    prompt.pause(0.002 * static_cast<double>(random() % 3));
  }
}

void interrupt_work(Prompt& prompt, std::span<const char* const> works, const std::string& whole) {
  std::mt19937 random(20261122);
  for (int moment = 0; moment < moments(); ++moment) {
    const std::string work = works[random() % works.size()];
    CAPTURE(moment);
    CAPTURE(work);
    prompt.type(work + "\n");
    interrupt(prompt, random);
    REQUIRE(prompt.answers());
    REQUIRE(prompt.enter(whole) == "True\n");
  }
}

#ifdef GPY_FAKE_CUDA
// Notes the bytes that the pool has given out before there is any work. There are none where the
// CPU stands in for a device.
void note_base(Prompt& prompt) {
  prompt.enter("import cupy as cp; used = cp.get_default_memory_pool().used_bytes; base = used()");
  REQUIRE(prompt.enter("base > 0") == "True\n");
}
// The collection destroys the objects that an interrupt left to be destroyed later.
const char* const kAtBase = "x = _ = 0; __import__('gc').collect() >= 0 and used() <= base";
#endif

}  // namespace

TEST_CASE("Ctrl-C at random moments of work on the CPU") {
  Prompt prompt("cpu");
  REQUIRE(prompt.ready);
  prompt.enter("import numpy as np; x = ([0], 0)");
  prompt.enter("first = lambda a: a[0] if type(a) is list else a.flat[0]");
  interrupt_work(prompt, kWork, "bool(first(x[0]) == x[1])");
}

#ifdef GPY_FAKE_CUDA
TEST_CASE("Ctrl-C at random moments of work on a device") {
  TemporaryFolder cache;
  const std::string libraries = std::filesystem::path(GPY_FAKE_CUDA).parent_path();
  setenv("LD_PRELOAD", GPY_FAKE_CUDA, 1);
  setenv("GPY_CUDA_PATH", libraries.c_str(), 1);
  setenv("GPY_CACHE_DIR", cache.path().c_str(), 1);
  Prompt prompt("cuda");
  for (const char* name : {"LD_PRELOAD", "GPY_CUDA_PATH", "GPY_CACHE_DIR"}) unsetenv(name);
  REQUIRE(prompt.ready);
  prompt.enter("import numpy as np; x = (np.ones(3), (3,))");
  REQUIRE(prompt.enter("gp.eval(gp.sort(gp.arange(1 << 16)) + gp.ones(1 << 16).sum()); 0") ==
          "0\n");
  prompt.enter("made = lambda a: (a, a.shape, gp.eval(a))[:2]");
  REQUIRE(prompt.enter("made(gp.ones(3) + 1)[1]") == "(3,)\n");
  note_base(prompt);
  interrupt_work(prompt, kDeviceWork, "x[0].shape == x[1]");
  CHECK(prompt.enter(kAtBase) == "True\n");
}
#endif

TEST_CASE("Ctrl-C while a line is typed, a block is open, or nothing is done") {
  Prompt prompt("cpu");
  REQUIRE(prompt.ready);
  for (const char* keys : {"", "half a line", "for i in range(3):\n", "x = [1,\n", "'''open\n"}) {
    CAPTURE(keys);
    prompt.type(std::string(keys) + "\x03\x03\x03");
    CHECK(prompt.wait_for("KeyboardInterrupt"));
    CHECK(prompt.answers());
  }
}

TEST_CASE("Ctrl-C that comes with the line stops what the line began") {
  Prompt prompt("cpu");
  REQUIRE(prompt.ready);
  for (int i = 0; i < 20; ++i) {
    prompt.type("while True: pass\n\n");
    prompt.pause(0.001 * i);
    prompt.type("\x03");
    prompt.pause(0.05);
    prompt.type("\x03");
    REQUIRE(prompt.answers());
  }
}

TEST_CASE("Ctrl-C that whoever started the prompt has ignored stays ignored") {
  Prompt prompt("/bin/sh", {"-c", "trap '' INT; exec \"$0\" --device cpu", gpy_path()});
  REQUIRE(prompt.ready);
  prompt.type("total = 0\n");
  prompt.type("for i in range(2000000): total += 1\n\n");
  for (int press = 0; press < 3; ++press) {
    prompt.pause(0.01);
    prompt.send(SIGINT);
  }
  REQUIRE(prompt.answers());
  CHECK(prompt.enter("total") == "2000000\n");
}

TEST_CASE("a broken pipe elsewhere does not end the prompt, idle or at work") {
  Prompt prompt("cpu");
  REQUIRE(prompt.ready);
  prompt.send(SIGPIPE);
  REQUIRE(prompt.answers());
  prompt.type("sum(i for i in range(300000))\n");
  prompt.send(SIGPIPE);
  CHECK(prompt.wait_for("44999850000\n"));
  CHECK(prompt.answers());
}

TEST_CASE("a prompt that is ended from outside leaves the terminal as it was") {
  for (int signal : {SIGTERM, SIGHUP, SIGQUIT}) {
    for (const char* work : {"", "while True: pass\n\n", "np.cumsum(np.ones(10**8))\n"}) {
      CAPTURE(signal);
      CAPTURE(work);
      Prompt prompt("cpu");
      REQUIRE(prompt.ready);
      CHECK(!prompt.echoes());
      prompt.enter("import numpy as np");
      prompt.type(work);
      prompt.pause(0.05);
      prompt.send(signal);
      CHECK(prompt.wait_for_end() == 128 + signal);
      CHECK(prompt.echoes());
    }
  }
}

}  // namespace gpy::test
