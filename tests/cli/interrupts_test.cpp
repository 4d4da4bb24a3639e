// Ctrl-C at any moment of work at the prompt: the prompt again, names whole, memory given back.
//
// GPY_TEST_INTERRUPTS says how many moments (scripts/test --long: 1000); a few otherwise.

#include <doctest/doctest.h>
#include <signal.h>

#include <cstdlib>
#include <random>
#include <span>
#include <string>

#include "tests/cli/process.h"
#include "tests/cli/terminal.h"

namespace gpy::test {

namespace {

int moments() {
  const char* asked = std::getenv("GPY_TEST_INTERRUPTS");
  return asked && *asked ? std::atoi(asked) : 25;
}

struct Prompt : Terminal {
  explicit Prompt(const std::string& device) : Terminal(gpy_path(), {"--device", device}) {
    ready = wait_for(">>> ");
  }
  // Waits until the prompt stands there and answers. A line may fall to a Ctrl-C that another
  // thread of the process (a library's) took and hands on late.
  bool answers() {
    for (int attempt = 0; attempt < 4; ++attempt) {
      const std::string number = std::to_string(++questions_);
      type("'ans' + 'wer" + number + "'\n");
      if (wait_for("answer" + number + "'\n", 5)) return wait_for(">>> ");
    }
    return false;
  }
  bool ready = false;

 private:
  int questions_ = 0;
};

// Each sets `x` to something whole, or leaves it: a pair whose parts agree.
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
    "x = (lambda a: (a, a.shape))(gp.eval(gp.ones(1 << 20) * 3))",
    "for i in range(300): x = (lambda a: (a, a.shape))(gp.eval(gp.ones(1 << 12) * i))\n",
    "x = (lambda a: (a, a.shape))(gp.eval(gp.asarray(np.arange(1 << 18)) + 1))",
    "gp.ones(1 << 18) + 1",
    "x = (lambda a: (a, a.shape))(gp.eval(gp.sort(gp.arange(1 << 16))))",
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

void interrupt_work(Prompt& prompt, std::span<const char* const> works, const std::string& whole,
                    const std::string& at_base) {
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
  CHECK(prompt.enter(at_base) == "True\n");
}

}  // namespace

TEST_CASE("Ctrl-C at random moments of work on the CPU") {
  Prompt prompt("cpu");
  REQUIRE(prompt.ready);
  prompt.enter("import numpy as np; x = ([0], 0)");
  prompt.enter("first = lambda a: a[0] if type(a) is list else a.flat[0]");
  interrupt_work(prompt, kWork, "bool(first(x[0]) == x[1])",
                 "del x; __import__('gc').collect() >= 0");
}

#ifdef GPY_FAKE_CUDA
TEST_CASE("Ctrl-C at random moments of work on a device") {
  TemporaryFolder cache;
  setenv("LD_PRELOAD", GPY_FAKE_CUDA, 1);
  setenv("GPY_CACHE_DIR", cache.path().c_str(), 1);
  Prompt prompt("cuda");
  unsetenv("LD_PRELOAD");
  REQUIRE(prompt.ready);
  prompt.enter("import numpy as np, cupy as cp, gc; x = (np.ones(3), (3,))");
  if (prompt.enter("gp.eval(gp.ones(3) + 1)").find("Error") != std::string::npos) return;
  prompt.enter("used = cp.get_default_memory_pool().used_bytes");
  prompt.enter("gp.eval(gp.sort(gp.arange(1 << 16)) + gp.ones(1 << 16).sum()); 0");
  prompt.enter("base = used()");
  interrupt_work(prompt, kDeviceWork, "x[0].shape == x[1]", "x = _ = 0; used() <= base");
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

TEST_CASE("a prompt that is ended from outside leaves the terminal as it was") {
  for (int signal : {SIGTERM, SIGHUP}) {
    Prompt prompt("cpu");
    REQUIRE(prompt.ready);
    const bool was_raw = !prompt.echoes();
    prompt.send(signal);
    CHECK(prompt.wait_for_end() == 128 + signal);
    CHECK(was_raw);
    CHECK(prompt.echoes());
  }
}

}  // namespace gpy::test
